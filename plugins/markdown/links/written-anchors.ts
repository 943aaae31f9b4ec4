/** The `id` and `name` attributes that the raw HTML of a Markdown text holds. */
import type { Caches, CacheSpace } from "#kernel";
import type { ContentService, PageEntry } from "../../content/contract.js";
import { ID_PREFIX } from "../render/sanitize-schema.js";
import { decoded } from "./split-reference.js";

const MAX_BYTES = 4 * 1_024 * 1_024;
const FENCE = /^[ \t>]*(?:(?:[*+-]|\d{1,9}[.)])[ \t]+)?(`{3,}(?!.*`)|~{3,})/;
const TAG = /<([a-z][a-z\d]*)\s(?:[^<>"']|"[^"<]*"|'[^'<]*')*>/gi;
const ANCHOR = /\s(id|name)\s{0,9}=\s{0,9}(?:"([^"<>]*)"|'([^'<>]*)'|([^\s"'<>=`]+))/gi;

/** Dependencies of the anchor lookup. */
export interface WrittenAnchorParts {
  content: Pick<ContentService, "source">;
  /** True for a page whose HTML is not sanitised. */
  isTrusted(entry: PageEntry): boolean;
  cache: Pick<Caches, "open">;
}

/**
 * Looks up hand-written anchors of other pages: sanitising prefixes them, so links need the prefix
 * too.
 */
export class WrittenAnchors {
  readonly #parts: WrittenAnchorParts;
  /** By source path and hash. */
  readonly #pages: CacheSpace<ReadonlySet<string>>;

  constructor(parts: WrittenAnchorParts) {
    this.#parts = parts;
    this.#pages = parts.cache.open<ReadonlySet<string>>("page-anchors", {
      ...{ maxBytes: MAX_BYTES, untagged: true, sizeOf: ({ size }) => size * 100 },
    });
  }

  /** The fragment (with `#`) of a hand-written anchor of the page; null for any other one. */
  async fragmentOf(entry: PageEntry, fragment: string): Promise<string | null> {
    if (entry.format !== "md" || this.#parts.isTrusted(entry)) return null;
    const id = decoded(fragment.slice(1)) ?? fragment.slice(1);
    const anchors = await this.#anchors(entry);
    return anchors.has(id) ? `#${encodeURIComponent(ID_PREFIX + id)}` : null;
  }

  async #anchors(entry: PageEntry): Promise<ReadonlySet<string>> {
    const key = `${entry.sourcePath}\0${entry.hash}`;
    const cached = this.#pages.peek(key);
    if (cached !== undefined) return cached;
    const page = await this.#parts.content.source(entry.sourcePath);
    const anchors = writtenAnchors(page?.body ?? "");
    if (page?.entry.hash === entry.hash) this.#pages.set(key, anchors);
    return anchors;
  }
}

/**
 * Anchors outside of code, without the sanitising prefix. Scans the text once without parsing it.
 */
export function writtenAnchors(body: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  if (!/\b(?:id|name)\s{0,9}=/i.test(body)) return anchors;
  for (const [tag, element = ""] of withoutCode(body).matchAll(TAG)) {
    for (const id of anchorsOf(tag, element.toLowerCase())) {
      anchors.add(id.startsWith(ID_PREFIX) ? id.slice(ID_PREFIX.length) : id);
    }
  }
  return anchors;
}

function anchorsOf(tag: string, element: string): string[] {
  return [...tag.matchAll(ANCHOR)].flatMap(([, attribute = "", ...values]) => {
    // Sanitising allows `name` on links only.
    const isAllowed = element === "a" || attribute.toLowerCase() === "id";
    return isAllowed ? values.filter(Boolean) : [];
  });
}

/** Removes fenced code and code spans. A span across lines stays, so that no anchor is lost. */
function withoutCode(body: string): string {
  let fence: string | null = null;
  const lines = body.split("\n").map((line) => {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence) === true) fence = null;
      return "";
    }
    if (mark !== undefined) fence = mark;
    return mark === undefined ? withoutSpans(line) : "";
  });
  return lines.join("\n");
}

function withoutSpans(line: string): string {
  const runs = line.split(/(`+)/);
  let result = "";
  for (let at = 0; at < runs.length; at += 1) {
    const run = runs[at] ?? "";
    const end = run.startsWith("`") ? runs.indexOf(run, at + 1) : -1;
    if (end === -1) result += run;
    else at = end;
  }
  return result;
}
