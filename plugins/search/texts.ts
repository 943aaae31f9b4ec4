import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import type { SiteContext } from "#kernel";
import type { PageEntry } from "../content/contract.js";

/** Characters of plain text that are kept for excerpts; the rest is read again. */
const keptCharacters = 32 * 1024 * 1024;

/** Plain texts of pages: read from their files, the ones just shown kept. */
export class Texts {
  readonly #site: SiteContext;
  readonly #kept = new LRUCache<string, string>({
    maxSize: keptCharacters,
    sizeCalculation: (text) => text.length + 64,
  });

  constructor(site: SiteContext) {
    this.#site = site;
  }

  /** The text of a page; empty when its file cannot be read or its format fails. */
  read(entry: PageEntry): string {
    try {
      const bytes = readFileSync(join(this.#site.paths.content, entry.sourcePath));
      const page = {
        entry,
        get raw() {
          return bytes.toString();
        },
        body: bytes.toString("utf8", entry.bodyOffset),
        media: [],
      };
      return this.#site.use("markdown").text(page);
    } catch (error) {
      this.#site.log.warn("search.unreadable", { page: entry.sourcePath, error: String(error) });
      return "";
    }
  }

  /** As `read`, kept for the next time. */
  load(entry: PageEntry): string {
    const key = `${entry.sourcePath}\n${entry.hash}`;
    let text = this.#kept.get(key);
    if (text === undefined) this.#kept.set(key, (text = this.read(entry)));
    return text;
  }
}
