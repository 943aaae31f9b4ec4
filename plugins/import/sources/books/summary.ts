/** `SUMMARY.md`, which lists the pages of a book in their order: mdBook and GitBook. */
import { posix } from "node:path";
import { decoded } from "../../plan/address-key.js";

const ENTRY =
  /^([ \t]*)(?:[-*+][ \t]+)?\[((?:\\.|[^\]\\]){0,500})\]\((?:<([^>\n]{0,500})>|([^)\s]{0,500}))(?:[ \t]+["'][^)\n]{0,300}["'])?\)[ \t]*$/;

/** A page of a book. */
interface SummaryEntry {
  /** From 1, in the order of the list. */
  readonly position: number;
  readonly title: string;
}

/** File to its entry; files are below the folder of the list. Entries without a file are in `drafts`, by title. */
export function readSummary(text: string): {
  readonly entries: ReadonlyMap<string, SummaryEntry>;
  readonly drafts: readonly string[];
} {
  const entries = new Map<string, SummaryEntry>();
  const drafts: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [whole, , label = "", bracketed, bare = ""] = ENTRY.exec(line) ?? [];
    const target = bracketed ?? bare;
    if (whole === undefined || /^[a-z]+:/i.test(target)) continue;
    const title = label.replaceAll(/\\(.)/g, "$1").replaceAll(/[*_`]/g, "");
    // An address that begins with a slash starts at the folder of the list, too.
    const path = posix.normalize(decoded(target.replace(/#.*$/, ""))).replace(/^\/+/, "");
    if (target === "") drafts.push(title);
    else if (!entries.has(path)) entries.set(path, { position: entries.size + 1, title });
  }
  return { entries, drafts };
}
