/** Paths of source files as addresses. */
import { posix } from "node:path";
import { slugOf } from "../../plan/safe-name.js";

/** Path without its extension, and without a last `index`. */
export function pathOfPage(path: string): string {
  const bare = path.replace(/\.(?:md|mdx|markdown|html|txt)$/i, "");
  const name = posix.basename(bare).toLowerCase();
  if (!["index", "_index", "readme"].includes(name)) return bare;
  const folder = posix.dirname(bare);
  return folder === "." ? "" : folder;
}

/** The address of a path: `a/b` is `/a/b`. */
export function toAddress(path: string): string {
  const joined = posix.join("/", path);
  return joined.length > 1 ? joined.replace(/\/$/, "") : joined;
}

/** The address with readable segments: `My Notes/A page` is `/my-notes/a-page`. */
export function toSlugAddress(path: string): string {
  return toAddress(
    path
      .split("/")
      .filter((part) => part !== "")
      .map((part) => slugOf(part))
      .join("/"),
  );
}

/** A name with a date or number in front: `2020-05-01-hello`, `01-intro`. */
export function splitNumber(name: string): { position: number | null; rest: string } {
  const [, number, rest] = /^(\d{1,4})[-_. ]+(?!\d)(.+)$/.exec(name) ?? [];
  return number === undefined || rest === undefined
    ? { position: null, rest: name }
    : { position: Number(number), rest };
}

/** A name with a day in front. */
export function splitDate(name: string): { date: string | null; rest: string } {
  const [, date, rest] = /^(\d{4}-\d{2}-\d{2})-(.+)$/.exec(name) ?? [];
  return date === undefined || rest === undefined ? { date: null, rest: name } : { date, rest };
}

/** True when the path is in the folder. */
export function isIn(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`);
}
