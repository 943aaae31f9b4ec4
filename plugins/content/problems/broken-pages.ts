/** Pages whose files cannot be read as pages: they are on no list of pages, and can be fixed as text. */
import { isUtf8 } from "node:buffer";
import { join } from "node:path";
import { locateFile, fileSlug } from "../blueprints/page-paths.js";
import type { BrokenPage, BrokenSource } from "../contract.js";
import { findFix } from "../errors.js";
import type { ContentIndex } from "../index/content-index.js";
import type { ContentRules } from "../index/store-options.js";
import { frontMatterColumn } from "../read/front-matter/front-matter.js";
import { formatOf, nameOf } from "../read/source-name.js";
import { digest } from "../read/source-record.js";
import { locateProblem } from "./problem-log.js";

/** Dependencies of the search for broken pages. */
export interface BrokenPagesOptions {
  index(): ContentIndex;
  rules(): ContentRules;
  refresh(paths: readonly string[]): Promise<void>;
  /** The bytes of a page's file; null when it is missing or too large. */
  bytes(sourcePath: string): Promise<Buffer | "unreadable" | null>;
}

/** The broken pages of a site. */
export class BrokenPages {
  readonly #options: BrokenPagesOptions;
  /** Those of the current index, in the order of their paths. */
  #found: { index: ContentIndex; pages: ReadonlyMap<string, BrokenPage> } | null = null;

  constructor(options: BrokenPagesOptions) {
    this.#options = options;
  }

  /** By path. Also those whose last good version is served. */
  list(): readonly BrokenPage[] {
    return [...this.#pages().values()];
  }

  /** A broken page; null for a page that can be read, or does not exist. */
  find(sourcePath: string): BrokenPage | null {
    return this.#pages().get(sourcePath) ?? null;
  }

  #pages(): ReadonlyMap<string, BrokenPage> {
    const index = this.#options.index();
    if (this.#found?.index !== index) this.#found = { index, pages: this.#read(index) };
    return this.#found.pages;
  }

  #read(index: ContentIndex): ReadonlyMap<string, BrokenPage> {
    const rules = this.#options.rules();
    const broken = new Map<string, BrokenPage>();
    for (const { sourcePath, severity, code, message, line, key } of index.fileProblems) {
      const record = index.records.get(sourcePath);
      const isRead = index.bySource.has(sourcePath) && !index.isLastGood(sourcePath);
      if (severity !== "error" || record === undefined || isRead) continue;
      const place = locateFile(sourcePath, { frontmatter: {}, texts: null }, index, rules);
      if (place === null || broken.has(sourcePath)) continue;
      const fix = findFix(code);
      broken.set(sourcePath, {
        sourcePath,
        title: fileSlug(sourcePath, index, rules),
        format: formatOf(nameOf(sourcePath)),
        template: place.template,
        lang: place.lang,
        isModule: place.isModule,
        parent: place.parent?.route ?? null,
        mtimeMs: record.mtimeMs,
        size: record.size,
        hash: record.hash,
        problem: {
          code,
          message,
          ...(line !== undefined && { line }),
          ...(key !== undefined && { key }),
          ...(fix !== undefined && { fix }),
        },
      });
    }
    return new Map([...broken].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** A broken page with its text; null for a page that can be read, or does not exist. */
  async source(sourcePath: string): Promise<BrokenSource | null> {
    const first = this.find(sourcePath);
    if (first === null) return null;
    const bytes = await this.#options.bytes(sourcePath);
    if (!Buffer.isBuffer(bytes)) return { ...first, raw: null };
    if (digest(bytes) !== first.hash) await this.#options.refresh([sourcePath]);
    const page = this.find(sourcePath);
    if (page === null) return null;
    const raw = isUtf8(bytes) && !bytes.includes(0) ? bytes.toString("utf8") : null;
    const file = join(this.#options.rules().root, sourcePath);
    const { line, key } = locateProblem({ sourcePath, severity: "error", ...page.problem }, file);
    const column = frontMatterColumn(bytes);
    const position = {
      ...(line !== undefined && { line }),
      ...(column !== null && { column }),
      ...(key !== undefined && { key }),
    };
    return { ...page, hash: digest(bytes), raw, problem: { ...page.problem, ...position } };
  }
}
