import { HttpError, isRecord, KeyedLock, type ChangeBatch, type SiteContext } from "#kernel";
import { mergeTexts } from "#lib/text";
import { refusal } from "../errors.js";
import type { WriteRights } from "../../content/contract.js";
import { notContent, pageFile, type PageFile } from "../write/page-source.js";
import { allowed, written } from "../write/save-page.js";
import { pathAfter } from "../write/reorder.js";
import {
  textDigest,
  type Plan,
  type Review,
  type WorkingCopy,
  type WorkingCopyPerson,
  type WorkingCopyStore,
} from "./working-copy-store.js";

/** Pages above this size cannot be published. */
const MAX_BYTES = 5 * 1_048_576;
const MAX_TITLE_LENGTH = 300;

/** The working copies of pages. Work on one page runs in turn, also while it is published. */
export class WorkingCopies {
  readonly #site: SiteContext;
  readonly #records: WorkingCopyStore;
  readonly #lock = new KeyedLock();

  constructor(site: SiteContext, records: WorkingCopyStore) {
    this.#site = site;
    this.#records = records;
  }

  /** Runs `work` after all earlier work on this page. */
  inTurn<T>(path: string, work: () => Promise<T>): Promise<T> {
    return this.#lock.run(path, work);
  }

  /** @throws HttpError 404. */
  async get(path: string): Promise<WorkingCopy> {
    const workingCopy = await this.find(path);
    if (workingCopy !== null) return workingCopy;
    throw new HttpError(404, `page ${JSON.stringify(path.slice(0, 120))} has no working copy`);
  }

  find(path: string): Promise<WorkingCopy | null> {
    return this.#records.get(path);
  }

  /** The working copy of a page, as a list; empty without one. */
  async of(path: string): Promise<WorkingCopy[]> {
    const workingCopy = await this.find(path);
    return workingCopy === null ? [] : [workingCopy];
  }

  list(): Promise<WorkingCopy[]> {
    return this.#records.list();
  }

  /**
   * A working copy needs the rights to its page, except publishing it: another account may do that. Its text may be
   * invalid; only the author of some fields needs a text whose fields can be compared.
   * @throws HttpError 400 for a path that no page can have, 403 naming what is missing.
   */
  async assertMaySave(path: string, text: string, rights: WriteRights): Promise<void> {
    const content = this.#site.use("content");
    if (!content.isPage(path)) throw new HttpError(400, notContent(path));
    const change = { op: "write", path, content: text } as const;
    const options = { dryRun: true, validate: false, rights: workingCopyRights(rights) };
    for (const result of await content.apply([change], options)) {
      if (result.code === "ERR_CONTENT_PATH") {
        throw new HttpError(400, result.errors[0] ?? "invalid path");
      }
      if (rights.fields === null) allowed(result);
      else written(result);
    }
  }

  /**
   * Saves a text that `assertMaySave` has admitted.
   * @throws HttpError 400, 413 for a text that no page can have.
   */
  save(path: string, edit: DraftEdit, author: WorkingCopyPerson): Promise<DraftOutcome> {
    return this.#lock.run(path, async () => {
      assertText(edit.content);
      const live = await this.live(path);
      const now = this.#site.runtime.clock.now();
      const outcomes: DraftOutcome[] = [];
      const owners = this.#site.use("content").ownersOf(path);
      const mayPublish = edit.rights.refuse("publish", path, owners) === null;
      await this.#records.change(path, (stored) => {
        const edited = editedText(stored, edit, live);
        if ("conflict" in edited) {
          outcomes.push(edited);
          return null;
        }
        const { text, base, isMerged } = edited;
        const workingCopy: WorkingCopy = {
          ...(stored ?? { path, createdAt: now, createdBy: author, review: null }),
          plan: planAfter(stored?.plan ?? null, text, mayPublish),
          content: text,
          title: this.#titleOf(path, text, live),
          author,
          updatedAt: now,
          base,
        };
        outcomes.push({ workingCopy, isMerged });
        return workingCopy;
      });
      const last = outcomes.at(-1);
      if (last === undefined) throw new HttpError(500, "the working copy has no result");
      return last;
    });
  }

  /**
   * Discards a working copy.
   * @throws HttpError 404; 409 when its digest is another than `match`.
   */
  discard(path: string, match: string | undefined): Promise<void> {
    return this.#lock.run(path, async () => {
      const workingCopy = await this.get(path);
      if (match !== undefined && match !== textDigest(workingCopy.content)) {
        throw refusal(
          409,
          "ERR_ADMIN_CONFLICT",
          "the working copy was saved by someone else since it was read",
        );
      }
      await this.#records.remove(path);
    });
  }

  /** Asks for a review with a note, empty for none, also of a text that was sent back. @throws HttpError 404. */
  askForReview(path: string, by: WorkingCopyPerson, note: string): Promise<WorkingCopy> {
    const requestedAt = this.#site.runtime.clock.now();
    return this.#review(path, () => ({ requestedAt, by, note, sentBack: null }));
  }

  /** Withdraws the request for a review. @throws HttpError 404. */
  withdrawReview(path: string): Promise<WorkingCopy> {
    return this.#review(path, () => null);
  }

  /** Answers a request for a review with a note instead of publishing. @throws HttpError 404; 409 without a request that waits. */
  sendBack(path: string, by: WorkingCopyPerson, note: string): Promise<WorkingCopy> {
    const at = this.#site.runtime.clock.now();
    return this.#review(path, (review) => {
      if (!isWaiting(review)) {
        const message = `no review of ${JSON.stringify(path.slice(0, 120))} is requested: it was withdrawn, or sent back already`;
        throw refusal(409, "ERR_ADMIN_CONFLICT", message);
      }
      return { ...review, sentBack: { at, by, note } };
    });
  }

  /** Plans the publication of a working copy, or with null takes the plan back. @throws HttpError 404. */
  plan(path: string, plan: Omit<Plan, "etag" | "problem"> | null): Promise<WorkingCopy> {
    return this.#lock.run(path, async () => {
      await this.get(path);
      const workingCopy = await this.#records.change(
        path,
        (stored) =>
          stored && {
            ...stored,
            plan: plan && { ...plan, etag: textDigest(stored.content), problem: null },
          },
      );
      return workingCopy ?? this.get(path);
    });
  }

  /** Notes why a planned text was not published; does nothing once the plan has changed. */
  async planFailed(path: string, id: string, problem: string): Promise<void> {
    await this.#records.change(path, (stored) =>
      stored?.plan?.id === id ? { ...stored, plan: { ...stored.plan, problem } } : null,
    );
  }

  #review(path: string, change: (review: Review | null) => Review | null): Promise<WorkingCopy> {
    return this.#lock.run(path, async () => {
      await this.get(path);
      const workingCopy = await this.#records.change(
        path,
        (stored) => stored && { ...stored, review: change(stored.review) },
      );
      return workingCopy ?? this.get(path);
    });
  }

  /**
   * Removes a working copy whose text is published. One that another node has saved in between stays,
   * based on the published text.
   */
  async published(workingCopy: WorkingCopy, live: PageFile | null): Promise<void> {
    const { path, content } = workingCopy;
    const isKept = await this.#records.change(path, (stored) => {
      if (stored === null || stored.content === content) return null;
      const isLive = live?.raw === content;
      return isLive ? { ...stored, base: { hash: live.hash, text: live.raw } } : null;
    });
    if (isKept?.content === content) await this.#records.remove(path);
  }

  /**
   * Working copies follow pages that move, unless there is one at the new path already. Text does not become code:
   * the author of the copy may have no right to it.
   */
  async follow({ changes, origin }: ChangeBatch): Promise<void> {
    const moves = changes.flatMap(({ kind, op, key, to }) =>
      kind === "file" && op === "move" && to !== undefined ? [{ path: key, to }] : [],
    );
    // Another node moves its own.
    if (moves.length === 0 || origin !== null) return;
    for (const workingCopy of await this.list()) {
      const to = pathAfter(workingCopy.path, moves);
      const { isCode } = this.#site.use("content");
      if (to === workingCopy.path || isCode(to) !== isCode(workingCopy.path)) continue;
      await this.#records.change(to, (stored) => stored ?? { ...workingCopy, path: to });
      await this.#records.remove(workingCopy.path);
    }
  }

  /** The page as it is published, or would be. */
  live(path: string): Promise<PageFile | null> {
    return pageFile(this.#site.use("content"), path);
  }

  /** The change of front matter that makes a page with this text public. */
  releasePatch(path: string, text: string): Record<string, unknown> {
    const content = this.#site.use("content");
    const { frontmatter } = content.blueprints.describe(path, text);
    return content.releasePatch(isRecord(frontmatter) ? frontmatter : {}, "published");
  }

  #titleOf(path: string, content: string, live: PageFile | null): string {
    const { frontmatter } = this.#site.use("content").blueprints.describe(path, content);
    const title = isRecord(frontmatter) ? frontmatter["title"] : null;
    const text = typeof title === "string" || typeof title === "number" ? String(title).trim() : "";
    return (text || live?.title || path).slice(0, MAX_TITLE_LENGTH);
  }
}

/** Edits by a user without the right to publish are not published at the planned time. */
function planAfter(plan: Plan | null, text: string, mayPublish: boolean): Plan | null {
  return plan !== null && mayPublish ? { ...plan, etag: textDigest(text) } : plan;
}

/** Why planned changes were not, or will not be published; null: they will, or are not planned. */
export function planProblem({ plan, content, author }: WorkingCopy): string | null {
  if (plan === null || plan.problem !== null) return plan?.problem ?? null;
  if (plan.etag === textDigest(content)) return null;
  return `${author.name} changed the text after it was planned: plan it again`;
}

/** True for a request without an answer. */
export function isWaiting(review: Review | null): review is Review {
  return review !== null && review.sentBack === null;
}

/** The rights to a text that the public does not see: a working copy. */
function workingCopyRights(rights: WriteRights): WriteRights {
  return {
    ...rights,
    refuse: (action, path, owners) => {
      if (action === "publish") return null;
      return rights.refuse(action === "create" ? "update" : action, path, owners);
    },
  };
}

function assertText(text: string): void {
  if (Buffer.byteLength(text) > MAX_BYTES) {
    throw new HttpError(413, `the text has more than ${MAX_BYTES} bytes`);
  }
  if (text.includes("\0") || !text.isWellFormed()) {
    throw new HttpError(400, "content contains characters that no UTF-8 text has");
  }
}

/** A text to store as working copy. */
export interface DraftEdit {
  readonly content: string;
  /** Digest of the live file that the text takes into account; empty: there was none. */
  readonly baseEtag?: string | undefined;
  /** The text that was edited: a live file, or an earlier working copy. */
  readonly base?: string | undefined;
  /** `If-Match`: digest of the working copy that was edited; `*`: any; undefined: there was none. */
  readonly match: string | undefined;
  /** Those of its author: with the right to publish, the text is published at the planned time. */
  readonly rights: WriteRights;
}
/** Two texts that cannot be merged; null: the text is unknown or does not exist. */
export interface TextConflict {
  readonly error: string;
  readonly base: string | null;
  readonly theirs: string | null;
  readonly proposal: string | null;
}
/** The result of an edit. */
type DraftOutcome =
  | { readonly workingCopy: WorkingCopy; readonly isMerged: boolean }
  | { readonly conflict: TextConflict };

type Base = WorkingCopy["base"];
interface MergedText {
  readonly text: string;
  /** True: the text has edits of others. */
  readonly isMerged: boolean;
}
interface Conflicting {
  readonly conflict: TextConflict;
}

const MOVED = "the page has changed since it was read";
const SAVED = "the working copy was saved by someone else since it was read";

/** The text and the base of a working copy after an edit of the stored one. */
function editedText(
  stored: WorkingCopy | null,
  edit: DraftEdit,
  live: PageFile | null,
): (MergedText & { readonly base: Base }) | Conflicting {
  const base = stored === null ? firstBase(edit, live) : nextBase(stored, edit, live);
  if ("conflict" in base) return base;
  const text = stored === null ? firstText(edit, live) : nextText(stored, edit);
  return "conflict" in text ? text : { ...text, base };
}

/** The live file as base of a working copy. */
export function toBase(live: PageFile | null): Base {
  return { hash: live?.hash ?? null, text: live?.raw ?? "" };
}

function firstBase({ baseEtag, base, match }: DraftEdit, live: PageFile | null) {
  const current = toBase(live);
  const isEditOfDraft = match !== undefined && match !== "*";
  if (isEditOfDraft || isSame(baseEtag, current)) return current;
  if (base !== undefined && textDigest(base) === baseEtag) return { hash: baseEtag, text: base };
  return { conflict: { error: MOVED, base: null, theirs: live?.raw ?? null, proposal: null } };
}

/** After a conflict with the live file, an edit names the live file that it takes into account. */
function nextBase({ base }: WorkingCopy, { baseEtag, match }: DraftEdit, live: PageFile | null) {
  if (isSame(baseEtag, base) || match === undefined) return base;
  const current = toBase(live);
  if (isSame(baseEtag, current)) return current;
  return { conflict: { error: MOVED, base: base.text, theirs: current.text, proposal: null } };
}

function isSame(etag: string | undefined, { hash }: Base): boolean {
  return etag === undefined || etag === (hash ?? "");
}

/** The working copy that was edited is published or discarded: the edit continues on the live file. */
function firstText(
  { content, base, match }: DraftEdit,
  live: PageFile | null,
): MergedText | Conflicting {
  const isLive = match === undefined || match === "*" || match === live?.hash;
  if (isLive) return { text: content, isMerged: false };
  const error = "the working copy was published or discarded since it was read";
  const ancestor = base !== undefined && textDigest(base) === match ? base : null;
  return mergedOver({ error, base: ancestor, yours: content, theirs: live?.raw ?? null });
}

function nextText(stored: WorkingCopy, edit: DraftEdit): MergedText | Conflicting {
  const { content, match } = edit;
  const isCurrent = match === "*" || match === textDigest(stored.content);
  if (isCurrent || content === stored.content) return { text: content, isMerged: false };
  const base = commonText(stored, edit);
  return mergedOver({ error: SAVED, base, yours: content, theirs: stored.content });
}

/** The text from which both versions were made; null: unknown. */
function commonText(
  { base: first }: WorkingCopy,
  { base, baseEtag, match }: DraftEdit,
): string | null {
  if (match === undefined) return isSame(baseEtag, first) ? first.text : null;
  if (base !== undefined && textDigest(base) === match) return base;
  return match === first.hash ? first.text : null;
}

/** An edit of a text that has changed meanwhile. */
interface CrossingEdit {
  /** Says what has happened to the text. */
  readonly error: string;
  /** The text from which both versions were made; null: unknown. */
  readonly base: string | null;
  readonly yours: string;
  /** Null: the text does not exist any more. */
  readonly theirs: string | null;
}

function mergedOver({ error, base, yours, theirs }: CrossingEdit): MergedText | Conflicting {
  if (base === null || theirs === null) {
    return { conflict: { error, base, theirs, proposal: null } };
  }
  const labels = { ours: "yours", theirs: "theirs" };
  const { text, conflicts } = mergeTexts({ base, ours: yours, theirs, labels });
  if (conflicts === 0) return { text, isMerged: true };
  return { conflict: { error, base, theirs, proposal: text } };
}
