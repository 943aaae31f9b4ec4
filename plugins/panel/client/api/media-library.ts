import { language } from "../app/texts.js";
import { siteHref } from "../boot.js";
import { call, type Query } from "./request.js";
import type { Library, LibraryItem } from "./answers.js";

/** Files of the whole site by path, and all folders. */
export async function listLibrary(query: Omit<Query<"GET /media">, "path">): Promise<Library> {
  const answer = await call("GET /media", { query });
  if ("folders" in answer) return answer;
  throw new Error("the response is not that of the whole site");
}

/** The file with this path; null when it does not exist. */
export async function findInLibrary(path: string): Promise<LibraryItem | null> {
  const { items } = await listLibrary({ q: path, limit: 500 });
  return items.find((item) => item.path === path) ?? null;
}

/** Address and smaller variants of a picture; both change with the file, which browsers cache. */
export function picture(
  { url, srcset, mtimeMs }: LibraryItem,
  sizes: string,
): { src: string; srcset?: string; sizes?: string } {
  const version = Math.round(mtimeMs);
  const src = `${siteHref(url)}?v=${version}`;
  if (srcset === "") return { src };
  const candidates = srcset
    .replaceAll(/(^|,\s+)(\S+)/g, (_all, gap: string, address: string) => gap + siteHref(address))
    .replaceAll(/\?\S+/g, (query) => `${query}&v=${version}`);
  return { src, srcset: candidates, sizes };
}

/** True for files that browsers show as pictures. */
export function isPicture({ type }: Pick<LibraryItem, "type">): boolean {
  return type.startsWith("image/");
}

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;

/** `1.2 MB`, in the person's language. */
export function fileSize(bytes: number): string {
  let value = bytes;
  let at = 0;
  while (value >= 1_000 && at < UNITS.length - 1) {
    value /= 1_000;
    at += 1;
  }
  const unit = UNITS[at] ?? "byte";
  const maximumFractionDigits = at === 0 ? 0 : 1;
  return value.toLocaleString(language, { style: "unit", unit, maximumFractionDigits });
}
