import { isRecord } from "#kernel";
import type { Page } from "../../content/contract.js";

/** Ends with an extension, before a query or a fragment. */
const FILE = /\.[a-z0-9]{2,5}(?:[?#].*)?$/i;
const WORD =
  /(?<![^\s"'`()<>[\]{}|,;=])[^\s"'`()<>[\]{}|,;=]+\.[A-Za-z0-9]{2,5}(?=$|[\s"'`()<>[\]{}|,;?#])/g;
/** Names with spaces: between quotes or angle brackets. */
const ENCLOSED = /<([^<>\n]{1,500})>|"([^"\n]{1,500})"/g;
const MAX_NAMES = 5_000;
const MAX_DEPTH = 20;

/** What may name a file in the text or the front matter of a page, decoded and without query. */
export function usedNames({ raw, entry }: Pick<Page, "raw" | "entry">): ReadonlySet<string> {
  const names = new Set<string>();
  const add = (name: string): void => {
    if (names.size < MAX_NAMES && FILE.test(name)) names.add(plainName(name));
  };
  for (const [word] of raw.matchAll(WORD)) add(word);
  for (const [, bracketed, quoted] of raw.matchAll(ENCLOSED)) add(bracketed ?? quoted ?? "");
  for (const text of textsIn(entry.frontmatter, MAX_DEPTH)) add(text);
  return names;
}

function plainName(name: string): string {
  const plain = name.replace(/[?#].*$/, "");
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

function textsIn(value: unknown, depth: number): string[] {
  if (typeof value === "string") return value.length <= 1_024 ? [value.trim()] : [];
  if (depth === 0 || typeof value !== "object" || value === null) return [];
  const inner = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : [];
  return inner.flatMap((one) => textsIn(one, depth - 1));
}
