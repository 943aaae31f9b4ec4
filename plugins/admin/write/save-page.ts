import { isDiskFull } from "#lib/errors";
import { HttpError, KeyedLock } from "#kernel";
import { isEmpty } from "#lib/fields";
import type {
  ApplyOptions,
  BrokenPlace,
  ContentChange,
  ContentChangeResult,
  ContentService,
  WriteRights,
} from "../../content/contract.js";
import { refusal } from "../errors.js";
import { pageFile, type PageFile } from "./page-source.js";

/** An edit: the whole text, or its parts. */
export interface PageEdit {
  content?: string | undefined;
  frontmatter?: Record<string, unknown> | undefined;
  body?: string | undefined;
}
/** A new page: its text, and keys merged into its front matter. */
export interface NewText {
  content: string;
  patch?: Readonly<Record<string, unknown>>;
}
/** The actor, and the version that was edited. */
export interface SaveOptions {
  actor: NonNullable<ApplyOptions["actor"]>;
  rights: WriteRights;
  ifHash?: string | undefined;
  message?: string | undefined;
  /** True: nothing is written, and the result has the texts. */
  dryRun?: boolean;
  /** True: a new page that may not be published is rejected. Default: it becomes a draft. */
  mustPublish?: boolean;
}

const STATUS: Readonly<Record<string, number>> = {
  ERR_CONTENT_CONFLICT: 409,
  ERR_CONTENT_EXISTS: 409,
  ERR_CONTENT_MISSING: 404,
  ERR_CONTENT_SIZE: 413,
  ERR_CONTENT_INVALID: 422,
  ERR_CONTENT_FRONT_MATTER_SIZE: 422,
};

/** Saves pages through the write path; each save is atomic. */
export class PageWriter {
  readonly #content: ContentService;
  readonly #lock = new KeyedLock();

  constructor(content: ContentService) {
    this.#content = content;
  }

  /**
   * Creates a page. Without `pages.publish` it starts as a draft.
   * @throws HttpError 409 when it exists.
   */
  create(path: string, text: NewText, options: SaveOptions): Promise<ContentChangeResult> {
    return this.#lock.run(path, async () => {
      const { rights, mustPublish = false } = options;
      const write = { op: "write", path, ...text, isNew: true, fillsIn: true } as const;
      const [dry] = await this.#content.apply([write], { dryRun: true });
      const owners = this.#content.ownersOf(path);
      const mayPublish = mustPublish || rights.refuse("publish", path, owners) === null;
      const isDraft = dry?.publishes === true && !mayPublish;
      const status = isDraft ? "draft" : this.#firstStatus(path, text);
      const change = status === null ? write : { ...write, patch: { ...text.patch, status } };
      return written(await this.#apply(change, options));
    });
  }

  /**
   * Saves an existing page. The result's code is ERR_CONTENT_CONFLICT when the page has changed.
   */
  update(path: string, edit: PageEdit, options: SaveOptions): Promise<ContentChangeResult> {
    return this.#lock.run(path, async () => {
      const page = await pageFile(this.#content, path);
      if (page === null) throw new HttpError(404, "Not found");
      if (page.problem !== null && edit.content === undefined) {
        throw wholeTextNeeded(path, page.problem);
      }
      return this.#apply(toChange(page, edit, options.ifHash ?? page.hash), options);
    });
  }

  /** The status that the blueprint gives to new pages; null when the text has one. */
  #firstStatus(path: string, { content, patch = {} }: NewText): string | null {
    const { blueprint, frontmatter } = this.#content.blueprints.describe(path, content);
    const isOpen = isEmpty(frontmatter["status"]) && isEmpty(patch["status"]);
    return isOpen ? (blueprint?.status ?? null) : null;
  }

  async #apply(
    change: ContentChange,
    { actor, rights, message, dryRun = false }: SaveOptions,
  ): Promise<ContentChangeResult> {
    const base = { actor, rights, dryRun, texts: dryRun };
    const options = { ...base, ...(message !== undefined && { message }) };
    const [result] = await this.#content.apply([change], options);
    if (result === undefined) throw new HttpError(500, "the change has no result");
    return checked(result);
  }
}

/**
 * Returns the result of a change.
 * @throws HttpError for an error other than a version conflict.
 */
export function checked(result: ContentChangeResult): ContentChangeResult {
  if (result.status !== "error" || result.code === "ERR_CONTENT_CONFLICT") return result;
  const message = result.errors[0] ?? "the change cannot be made";
  const code = result.code ?? "";
  allowed(result);
  const { validationErrors, systemCode } = result;
  if (code === "ERR_CONTENT_WRITE") throw writeFailure(message, code, systemCode);
  throw new HttpError(STATUS[code] ?? 400, message, {
    ...(code !== "" && { code }),
    ...(validationErrors !== undefined && { validationErrors }),
  });
}

/** Returns the result of a change. @throws HttpError for every error; 409 for a conflict. */
export function written(result: ContentChangeResult): ContentChangeResult {
  if (checked(result).status !== "error") return result;
  const message = result.errors[0] ?? "the file was changed in the meantime";
  throw new HttpError(409, message, { code: result.code ?? "ERR_CONTENT_CONFLICT" });
}

/** Codes of changes that their author has no right to. */
const FORBIDDEN: ReadonlySet<string> = new Set([
  "ERR_CONTENT_AUDIENCE",
  "ERR_CONTENT_FORBIDDEN",
  "ERR_CONTENT_LIMITED",
]);

/**
 * Checks only the rights to a change: for texts that are not saved, which may be invalid.
 * @throws HttpError 403 when the change is not the sender's to make.
 */
export function allowed(result: ContentChangeResult): ContentChangeResult {
  if (!FORBIDDEN.has(result.code ?? "")) return result;
  const message = result.errors[0] ?? "the change is not allowed";
  throw refusal(403, "ERR_ADMIN_FORBIDDEN", message);
}

/** The error of a failed write: 507 for a full disk, else 503 with `Retry-After`. */
export function writeFailure(
  message: string,
  code: string,
  systemCode: string | undefined,
): HttpError {
  if (isDiskFull(systemCode)) return new HttpError(507, message, { code });
  return new HttpError(503, message, { code, headers: { "Retry-After": "30" } });
}

/** The error of a change of fields in a page that cannot be read. */
export function wholeTextNeeded(
  path: string,
  { line, key, message: reason }: BrokenPlace,
): HttpError {
  const position = [
    path,
    ...(line === undefined ? [] : [`line ${line}`]),
    ...(key === undefined ? [] : [key]),
  ];
  const message = `${position.join(", ")}: ${reason}; no part of the page can be changed: correct it, or send the whole text as content`;
  return new HttpError(400, message, { code: "ERR_CONTENT_FRONT_MATTER" });
}

function toChange(
  { sourcePath: path, raw, body: standing }: PageFile,
  { content: text, frontmatter: patch, body }: PageEdit,
  ifHash: string,
): ContentChange {
  const head = raw.slice(0, raw.length - standing.length);
  const content = text ?? (body === undefined ? undefined : withBody(head, body));
  const target = { path, ifHash, fillsIn: true };
  if (content === undefined) return fieldsChange(path, patch ?? {}, ifHash);
  return { op: "write", content, ...(patch !== undefined && { patch }), ...target };
}

/** A change of fields of a page that is at a version: others without a value get their defaults. */
export function fieldsChange(
  path: string,
  patch: Readonly<Record<string, unknown>>,
  ifHash: string,
): ContentChange {
  return { op: "frontmatter", path, patch, ifHash, fillsIn: true };
}

/** A file with another body. Behind a closing fence without a line end, the body begins on a line of its own. */
function withBody(head: string, body: string): string {
  const isGlued = body !== "" && head.trim() !== "" && !head.endsWith("\n");
  if (!isGlued) return head + body;
  return head + (head.includes("\r\n") ? "\r\n" : "\n") + body;
}
