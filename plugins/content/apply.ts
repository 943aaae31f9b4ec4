/** The write path: each change is checked, written atomically, and told to the index. */
import { KeyedLock } from "#kernel";
import { DiskFiles, DryFiles } from "./change-files.js";
import type { ContentRules } from "./store-options.js";
import type {
  AppliedChange,
  ApplyOptions,
  ContentChange,
  ContentChangeResult,
  PageEntry,
} from "./contract.js";
import { pathsOf, performChange, type Outcome, type PerformParts } from "./perform-change.js";
import { errorCode } from "./read-source.js";
import { RecordedFiles } from "./recorded-files.js";
import { Refusal } from "./refusal.js";

/** What applying needs. */
export interface ApplyDeps {
  rules(): ContentRules;
  /** Unix ms. */
  now(): number;
  /** Brings the index up to date with these paths; page hooks fire after that. */
  refresh(paths: readonly string[]): Promise<void>;
  /** The page whose audience the media of a folder have; null: everybody sees them. */
  ownerOf?(folder: string): PageEntry | null;
  /** Told what was written, before the index is brought up to date. */
  applied?(changes: readonly AppliedChange[], options: ApplyOptions): Promise<void>;
}

/** What a batch brings to each of its changes. */
type OwnParts = Pick<PerformParts, "files" | "mayPublish">;

// One key for all: a folder may be moved, and every path below it is another one then.
const tree = "tree";

/** Applies changes one after the other, whoever asks for them. */
export class ContentWriter {
  readonly #deps: ApplyDeps;
  readonly #lock = new KeyedLock();

  constructor(deps: ApplyDeps) {
    this.#deps = deps;
  }

  async apply(
    changes: readonly ContentChange[],
    options: ApplyOptions,
  ): Promise<ContentChangeResult[]> {
    const disk = new DiskFiles(this.#deps.rules().root);
    const recorded = new RecordedFiles(disk);
    const files = options.dryRun === true ? new DryFiles(disk) : recorded;
    const results: ContentChangeResult[] = [];
    const parts = { files, mayPublish: options.mayPublish !== false };
    for (const change of changes) results.push(await this.#applyOne(change, parts));
    const touched = changes.filter((_, at) => isWritten(results[at])).flatMap(pathsOf);
    if (options.dryRun !== true && touched.length > 0) {
      await this.#deps.applied?.(recorded.changes, options);
      await this.#deps.refresh(touched);
    }
    return results;
  }

  async #applyOne(change: ContentChange, parts: OwnParts): Promise<ContentChangeResult> {
    const { op, path } = change;
    try {
      const outcome = await this.#lock.run(tree, () => this.#perform(change, parts));
      return { op, path, errors: [], ...outcome };
    } catch (error) {
      return { op, path, status: "error", ...failure(error) };
    }
  }

  #perform(change: ContentChange, parts: OwnParts): Promise<Outcome> {
    const { rules, now, ownerOf = () => null } = this.#deps;
    return performChange(change, { ...parts, rules: rules(), now: now(), ownerOf });
  }
}

function isWritten(result: ContentChangeResult | undefined): boolean {
  return result !== undefined && result.status !== "error" && result.status !== "skipped";
}

function failure(error: unknown): Pick<ContentChangeResult, "errors" | "code" | "hash"> {
  if (error instanceof Refusal) {
    const { code, message, hash } = error;
    return { errors: [message], code, ...(hash !== undefined && { hash }) };
  }
  // The disk's own message names paths of this machine.
  const message = `the file could not be written (${errorCode(error)}); check permissions and free space`;
  return { errors: [message], code: "ERR_CONTENT_WRITE" };
}
