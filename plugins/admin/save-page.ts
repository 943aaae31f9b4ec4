import { HttpError, KeyedLock } from "#kernel";
import type {
  ApplyOptions,
  ContentChange,
  ContentChangeResult,
  ContentService,
} from "../content/contract.js";

/** What an editor sends: the whole text, or its parts. */
export interface PageEdit {
  content?: string | undefined;
  frontmatter?: Record<string, unknown> | undefined;
  body?: string | undefined;
}
/** Who saves, and on which version. */
export interface SaveOptions {
  actor: NonNullable<ApplyOptions["actor"]>;
  mayPublish: boolean;
  ifHash?: string | undefined;
  message?: string | undefined;
}

const STATUS: Readonly<Record<string, number>> = {
  ERR_CONTENT_CONFLICT: 409,
  ERR_CONTENT_EXISTS: 409,
  ERR_CONTENT_MISSING: 404,
  ERR_CONTENT_SIZE: 413,
};

/** Saves pages through the write path: nothing of a refused save is written. */
export class PageWriter {
  readonly #content: ContentService;
  readonly #lock = new KeyedLock();

  constructor(content: ContentService) {
    this.#content = content;
  }

  /** Makes a page. Without `pages.publish` it begins as a draft. @throws HttpError 409 when it exists. */
  create(path: string, content: string, options: SaveOptions): Promise<ContentChangeResult> {
    return this.#lock.run(path, async () => {
      const write: ContentChange = { op: "write", path, content };
      const [dry] = await this.#content.apply([write], { dryRun: true });
      if (dry?.status === "updated" || dry?.status === "skipped") {
        throw new HttpError(409, `there is a page ${JSON.stringify(path)} already`);
      }
      const isDraft = dry?.publishes === true && !options.mayPublish;
      return this.#apply(isDraft ? [write, asDraft(path)] : [write], options);
    });
  }

  /** Saves a page that is there. The result's code is ERR_CONTENT_CONFLICT when it has changed. */
  update(path: string, edit: PageEdit, options: SaveOptions): Promise<ContentChangeResult> {
    return this.#lock.run(path, async () => {
      const page = await this.#content.source(path);
      if (page === null) throw new HttpError(404, "Not found");
      const ifHash = options.ifHash ?? page.entry.hash;
      const changes = changesOf(path, edit, { raw: page.raw, body: page.body, ifHash });
      if (!options.mayPublish) await this.#assertHidden(changes);
      return this.#apply(changes, options);
    });
  }

  /** @throws HttpError 403 for changes after which a page is out when it was not before. */
  async #assertHidden(changes: readonly ContentChange[]): Promise<void> {
    const dry = await this.#content.apply(changes, { dryRun: true });
    if (!dry.some(({ publishes }) => publishes)) return;
    throw new HttpError(403, "permission pages.publish is needed", { code: "ERR_ADMIN_FORBIDDEN" });
  }

  /** Applies changes all together or not at all; the last result, or the first error. */
  async #apply(changes: ContentChange[], options: SaveOptions): Promise<ContentChangeResult> {
    if (changes.length > 1) {
      const dry = await this.#content.apply(changes, { dryRun: true });
      const failed = dry.find(({ status }) => status === "error");
      if (failed !== undefined) return checked(failed);
    }
    const { actor, message } = options;
    const results = await this.#content.apply(changes, {
      actor,
      ...(message !== undefined && { message }),
    });
    const error = results.find(({ status }) => status === "error");
    const last = results.at(-1);
    if (last === undefined)
      throw new HttpError(400, "nothing to save: send content, frontmatter or body");
    if (error !== undefined) return checked(error);
    return { ...last, status: results[0]?.status === "created" ? "created" : last.status };
  }
}

/** The result of a change. @throws HttpError for an error that is not a conflict of versions. */
export function checked(result: ContentChangeResult): ContentChangeResult {
  if (result.status !== "error" || result.code === "ERR_CONTENT_CONFLICT") return result;
  const message = result.errors[0] ?? "the change cannot be made";
  throw new HttpError(statusOf(result.code ?? "", message), message, {
    ...(result.code !== undefined && { code: result.code }),
  });
}

function statusOf(code: string, message: string): number {
  return code === "ERR_CONTENT_WRITE" ? writeStatus(message) : (STATUS[code] ?? 400);
}

/** The status of a write that the disk has refused, by what was said of it: 507 when it is full. */
export function writeStatus(message: string): number {
  return /ENOSPC|EDQUOT/.test(message) ? 507 : 503;
}

function changesOf(
  path: string,
  edit: PageEdit,
  now: { raw: string; body: string; ifHash: string },
): ContentChange[] {
  const { ifHash } = now;
  const changes: ContentChange[] = [];
  const head = now.raw.slice(0, now.raw.length - now.body.length);
  const content = edit.content ?? (edit.body === undefined ? undefined : head + edit.body);
  if (content !== undefined) changes.push({ op: "write", path, content, ifHash });
  if (edit.frontmatter !== undefined) {
    const patch: ContentChange = { op: "frontmatter", path, patch: edit.frontmatter };
    changes.push(content === undefined ? { ...patch, ifHash } : patch);
  }
  return changes;
}

function asDraft(path: string): ContentChange {
  return { op: "frontmatter", path, patch: { status: "draft" } };
}
