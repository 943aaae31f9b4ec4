import { isRecord } from "#kernel";
import type { PageEntry } from "../../content/contract.js";

/** What the components of modules show of front matter, besides the fields of blocks. */
const SHOWN = new Set(["title", "text", "caption", "author", "role", "code"]);
const MAX_DEPTH = 10;

/** The texts in the front matter of a module, as Markdown: its title, those of its items and images. */
export function moduleText({ frontmatter }: Pick<PageEntry, "frontmatter">): string {
  return textsIn(frontmatter, 0).join("\n\n");
}

function textsIn(value: unknown, depth: number): string[] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((one: unknown) => textsIn(one, depth + 1));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, own]) => {
    if (typeof own === "string") return SHOWN.has(key) ? [own] : [];
    return textsIn(own, depth + 1);
  });
}
