/** The write path: checks each change, writes it atomically and updates the index. */
import { isUtf8 } from "node:buffer";
import { DiskFiles, DryFiles } from "./change-files.js";
import type { ContentRules } from "../index/store-options.js";
import type { ApplyOptions, ContentChange, ContentChangeResult, PageEntry } from "../contract.js";
import { pathsOf, performChange, type Outcome, type PerformParts } from "./perform-change.js";
import { errorCode } from "../read/read-source.js";
import { RecordedFiles } from "../read/recorded-files.js";
import { Refusal } from "./refusal.js";
import type { WriteWork } from "./write-queue.js";
import { pageFolders, SERVER_RIGHTS } from "./write-rights.js";

/** What applying needs. */
export interface ApplyDeps {
  rules(): ContentRules;
  /** Unix ms. */
  now(): number;
  /** Queues the work; resolves when the index is up to date. */
  write(work: WriteWork): Promise<void>;
  /** Why a path may not be written; null: it may. */
  guard?(path: string): string | null;
  /** The page whose access rules apply to the media of a folder; null: public. */
  ownerOf?(folder: string): PageEntry | null;
  /** What does not fit the blueprint of a page. */
  violations?: PerformParts["violations"];
  /** The values that page types give to pages. */
  openValues?: PerformParts["openValues"];
  /** The values of a page's text as they are read. */
  valuesOf?: PerformParts["valuesOf"];
}

/** What all changes of a batch share. */
type OwnParts = Pick<PerformParts, "files" | "rights" | "folders" | "violations" | "valuesOf"> & {
  /** True: results have the texts before and after. */
  withTexts?: boolean;
};

/** Applies changes, one call at a time. */
export class ContentWriter {
  readonly #deps: ApplyDeps;

  constructor(deps: ApplyDeps) {
    this.#deps = deps;
  }

  async apply(
    changes: readonly ContentChange[],
    options: ApplyOptions,
  ): Promise<ContentChangeResult[]> {
    const disk = new DiskFiles(this.#deps.rules().root);
    const { violations, valuesOf } = this.#deps;
    const isChecked = violations !== undefined && options.validate !== false;
    const { rights = SERVER_RIGHTS, texts = false } = options;
    const folders = pageFolders(changes, this.#deps.rules());
    const parts = {
      rights,
      folders,
      ...(isChecked && { violations }),
      ...(valuesOf && { valuesOf }),
    };
    if (options.dryRun === true) {
      return this.#applyAll(changes, { files: new DryFiles(disk), withTexts: texts, ...parts });
    }
    let results: ContentChangeResult[] = [];
    await this.#deps.write(async () => {
      const files = new RecordedFiles(disk);
      results = await this.#applyAll(changes, { files, ...parts });
      const touched = changes.filter((_, at) => isWritten(results[at])).flatMap(pathsOf);
      if (touched.length === 0) return null;
      const { actor = null, message = "" } = options;
      const written = { touched, folders: [...files.folders], changes: files.changes };
      return { ...written, actor, message, release: () => files.release() };
    });
    return results;
  }

  async #applyAll(
    changes: readonly ContentChange[],
    parts: OwnParts,
  ): Promise<ContentChangeResult[]> {
    const results: ContentChangeResult[] = [];
    for (const change of changes) results.push(await this.#applyOne(change, parts));
    return results;
  }

  async #applyOne(change: ContentChange, parts: OwnParts): Promise<ContentChangeResult> {
    const { op, path } = change;
    try {
      const before = parts.withTexts === true ? await textOf(parts, path) : null;
      const outcome = await this.#perform(change, parts);
      const done: ContentChangeResult = { op, path, errors: [], ...outcome };
      if (parts.withTexts !== true) return done;
      return { ...done, texts: { before, after: await textOf(parts, path) } };
    } catch (error) {
      return { op, path, status: "error", ...failure(error) };
    }
  }

  async #perform(change: ContentChange, parts: OwnParts): Promise<Outcome> {
    const { rules, now, guard = () => null, ownerOf = () => null, openValues } = this.#deps;
    const reason = pathsOf(change)
      .map(guard)
      .find((found) => found !== null);
    if (typeof reason === "string") throw new Refusal("ERR_CONTENT_CONFLICT", reason);
    const rights = change.asServer === true ? SERVER_RIGHTS : parts.rights;
    const open = openValues === undefined ? {} : { openValues };
    const context = { ...parts, ...open, rights, rules: rules(), now: now(), ownerOf };
    return performChange(change, context);
  }
}

/** Null for a missing file, and for one that is not text. */
async function textOf({ files }: OwnParts, path: string): Promise<string | null> {
  if ((await files.kind(path)) !== "file") return null;
  const bytes = await files.read(path);
  return bytes === null || !isUtf8(bytes) ? null : bytes.toString("utf8");
}

function isWritten(result: ContentChangeResult | undefined): boolean {
  return result !== undefined && result.status !== "error" && result.status !== "skipped";
}

type Failure = Pick<ContentChangeResult, "errors" | "code" | "hash" | "validationErrors">;

function failure(error: unknown): Failure {
  if (error instanceof Refusal) {
    const { code, message, hash, violations } = error;
    return {
      errors: [message],
      code,
      ...(hash !== undefined && { hash }),
      ...(violations !== undefined && { validationErrors: violations }),
    };
  }
  // The system's message contains paths of this machine.
  const message = `the file could not be written (${errorCode(error)}); check permissions and free space`;
  return { errors: [message], code: "ERR_CONTENT_WRITE" };
}
