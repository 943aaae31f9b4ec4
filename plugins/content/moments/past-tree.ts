/** The content of a commit, for reading: an index of its pages, whose texts and media are read on demand. */
import { HttpError } from "#kernel";
import { runInSlices, type Sliced } from "#lib/concurrency";
import type {
  ContentService,
  ContentView,
  MediaItem,
  Moment,
  Page,
  PageEntry,
} from "../contract.js";
import type { ContentIndex } from "../index/content-index.js";
import type { ContentRules } from "../index/store-options.js";
import {
  isMediaFolder,
  isMediaName,
  MAX_SIDECAR_BYTES,
  mediaItem,
  SIDECAR_ENDING,
} from "../read/media-listing.js";
import { parseYamlMap } from "../read/front-matter/full-yaml.js";
import { mediaTexts } from "../read/front-matter/text-keys.js";
import {
  folderOf,
  joinPath,
  nameOf,
  folderIssue,
  isIgnoredName,
  isPagePath,
} from "../read/source-name.js";
import type { PageLoader } from "../view/page-loader.js";
import type { RouteRules } from "../view/resolve-route.js";
import { StandIns } from "../view/stand-ins.js";
import { buildIndex } from "../index/build-index.js";
import {
  MAX_PAGE_BYTES,
  toOversizeRecord,
  toSourceRecord,
  type SourceRecord,
} from "../read/source-record.js";
import {
  BlobReader,
  type Commit,
  type CommitFile,
  type ContentCommits,
  momentError,
  toBatches,
} from "./content-commits.js";

/** Maximum bytes of a media file of a commit. */
const MAX_MEDIA_BYTES = 32 * 1_048_576;
/** Formats of pages that are code. */
const CODE: ReadonlySet<string> = new Set(["mdx", "tsx"]);
/** Bytes of a file's facts, of an entry, and of a byte of its front matter once it is read. */
const FILE_BYTES = 400;
const ENTRY_BYTES = 2_000;
const FIELD_FACTOR = 6;

/** The files and rules of a past tree. */
export interface PastTreeInput {
  readonly commit: Commit;
  readonly index: ContentIndex;
  /** The files of the commit below the content folder. */
  readonly files: readonly CommitFile[];
  readonly rules: ContentRules;
  readonly routeRules: () => RouteRules;
  readonly commits: ContentCommits;
  readonly loader: Pick<PageLoader, "loaded" | "source">;
}
type Reads = Pick<ContentService, "generation" | "addressIn" | "source" | "media">;

/** The content of a commit. */
export class PastTree implements Reads {
  readonly commit: string;
  readonly index: ContentIndex;
  /** About as many bytes as the tree takes. */
  readonly bytes: number;
  readonly #input: PastTreeInput;
  readonly #blobs: BlobReader;
  readonly #files: ReadonlyMap<string, CommitFile>;
  readonly #folders = new Map<string, CommitFile[]>();
  // Not in site.cache: listings go with their tree.
  readonly #media = new Map<string, Promise<readonly MediaItem[]>>();

  constructor(input: PastTreeInput) {
    const { commit, index, files, rules } = input;
    this.commit = commit.id;
    this.index = index;
    this.bytes =
      files.length * FILE_BYTES +
      index.entries.reduce((sum, entry) => sum + ENTRY_BYTES + entry.bodyOffset * FIELD_FACTOR, 0);
    this.#input = input;
    this.#blobs = new BlobReader(input.commits);
    this.#files = new Map(files.map((file) => [file.path, file]));
    for (const file of files) {
      const folder = folderOf(file.path);
      if (!isMediaFolder(folder, rules) || !isMediaName(nameOf(file.path), rules)) continue;
      const others = this.#folders.get(folder);
      if (others === undefined) this.#folders.set(folder, [file]);
      else others.push(file);
    }
  }

  generation(): ContentIndex {
    return this.index;
  }

  addressIn(...page: Parameters<Reads["addressIn"]>): string {
    return new StandIns(this.index, this.#input.routeRules()).addressIn(...page);
  }

  media(folder: string): Promise<readonly MediaItem[]> {
    const cached = this.#media.get(folder);
    if (cached !== undefined) return cached;
    const listed = this.#list(folder);
    this.#media.set(folder, listed);
    listed.catch(() => this.#media.delete(folder));
    return listed;
  }

  async source(path: string): Promise<Page | null> {
    const entry = this.index.bySource.get(path.replace(/^content\//, ""));
    return entry === undefined ? null : this.#page(entry);
  }

  /**
   * A visible page, after onMediaDiscovered and onPageLoaded.
   * @throws HttpError 404 when the viewer may not see it, and for code that is no longer that of the page.
   */
  async load(entry: PageEntry, view: ContentView, moment: Moment): Promise<Page> {
    if (!view.canSee(entry)) throw new HttpError(404, "Not found");
    await this.#assertHarmless(entry);
    const page = await this.#page(entry);
    return this.#input.loader.loaded({ ...page, isPreview: true, moment });
  }

  /** Code of the past is not executed: its author may have lost the right to write code. */
  async #assertHarmless({ format, sourcePath, hash }: PageEntry): Promise<void> {
    if (!CODE.has(format)) return;
    const present = await this.#input.loader.source(sourcePath);
    if (present?.entry.hash === hash) return;
    const message = `${format} pages are code, and are shown in their present version only`;
    throw momentError(404, message, "leave out rev");
  }

  /** @throws HttpError 422 for a file that is too large. */
  async file(folder: string, name: string): ReturnType<Moment["file"]> {
    const file = this.#folders.get(folder)?.find(({ path }) => nameOf(path) === name);
    if (file === undefined) return null;
    if (file.size > MAX_MEDIA_BYTES) {
      throw momentError(422, `the file has ${file.size} bytes`, "take it out of the repository");
    }
    const bytes = await this.#blobs.read(file);
    return { bytes, entry: this.index.ownerOf(folder) };
  }

  async #page(entry: PageEntry): Promise<Page> {
    const file = this.#files.get(entry.sourcePath);
    const bytes = file === undefined ? Buffer.alloc(0) : await this.#blobs.read(file);
    const body = bytes.toString("utf8", entry.bodyOffset);
    return { entry, raw: bytes.toString(), body, media: await this.media(entry.folder) };
  }

  async #list(folder: string): Promise<readonly MediaItem[]> {
    const files = this.#folders.get(folder) ?? [];
    const read = files.flatMap(({ path }) => {
      const sidecar = this.#files.get(path + SIDECAR_ENDING);
      return sidecar === undefined || sidecar.size > MAX_SIDECAR_BYTES ? [] : [sidecar];
    });
    const texts = await Promise.all(read.map((file) => this.#blobs.read(file)));
    const metas = new Map(read.map(({ path }, at) => [path, readSidecar(texts[at])]));
    const { at: mtimeMs } = this.#input.commit;
    return files.map(({ path, size }) => {
      const meta = metas.get(path + SIDECAR_ENDING) ?? {};
      return mediaItem(joinPath(folder, nameOf(path)), { size, mtimeMs, meta });
    });
  }
}

function readSidecar(bytes: Buffer | undefined): Readonly<Record<string, unknown>> {
  const result = parseYamlMap(bytes?.toString() ?? "");
  return "data" in result ? mediaTexts(result.data, result.texts) : {};
}

/** Maximum pages of a commit, and their bytes. */
const MAX_PAGES = 20_000;
const MAX_BYTES = 128 * 1_048_576;

/** The index of the pages among the files of a commit. @throws ERR_CONTENT_MOMENT_SIZE (422). */
export async function readCommit(
  commit: Commit,
  files: readonly CommitFile[],
  commits: ContentCommits,
  rules: ContentRules,
): Promise<ContentIndex> {
  const pages = files.filter(({ path }) => isPage(path, rules));
  assertSize(pages);
  const records = new Map<string, SourceRecord>();
  const read = pages.filter(({ size }) => size <= MAX_PAGE_BYTES);
  for (const batch of toBatches(read, ({ size }) => size)) {
    const bytes = await commits.bytes(batch);
    await runInSlices(addRecords(records, batch, bytes, commit.at));
  }
  for (const { path: sourcePath, size } of pages) {
    if (size <= MAX_PAGE_BYTES) continue;
    records.set(sourcePath, toOversizeRecord({ sourcePath, size, mtimeMs: commit.at }));
  }
  return runInSlices(buildIndex({ records, treeProblems: [], rules, previous: null }));
}

/** True for a file that the walk of the content folder takes as a page. */
function isPage(path: string, rules: ContentRules): boolean {
  if (!isPagePath(path, rules) || rules.isReserved(path)) return false;
  return folderIssue(folderOf(path)) === null && !path.split("/").some(isIgnoredName);
}

function assertSize(pages: readonly CommitFile[]): void {
  const bytes = pages.reduce((sum, { size }) => sum + size, 0);
  if (pages.length <= MAX_PAGES && bytes <= MAX_BYTES) return;
  const message = `the commit has ${pages.length} pages of ${bytes} bytes, at most ${MAX_PAGES} pages of ${MAX_BYTES} bytes are shown`;
  throw momentError(422, message, "check the commit out and start a site on it");
}

function* addRecords(
  records: Map<string, SourceRecord>,
  files: readonly CommitFile[],
  bytes: readonly Buffer[],
  mtimeMs: number,
): Sliced<void> {
  for (const [at, { path: sourcePath }] of files.entries()) {
    const content = bytes[at] ?? Buffer.alloc(0);
    records.set(sourcePath, toSourceRecord({ sourcePath, size: content.length, mtimeMs }, content));
    yield;
  }
}
