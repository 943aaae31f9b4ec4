import { ApiError, json, queryText, request, sourceUrl, type Reply } from "../request.js";
import type { List } from "./pages.js";

/** A working copy in lists. */
export interface DraftRow {
  readonly sourcePath: string;
  readonly title: string;
  readonly author: { id: string; name: string };
  /** Unix ms. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly etag: string;
  /** Digest of the live file that it began from; empty: there was none. */
  readonly baseEtag: string;
  /** True when the live file has changed since. */
  readonly isBehind: boolean;
  readonly review: { requestedAt: number; by: { name: string } } | null;
}
/** A working copy: an unpublished text of a page. */
export interface Draft extends DraftRow {
  readonly content: string;
  /** True when the edit of another person was merged into it. */
  readonly merged?: boolean;
}
/** The body of a 409: both texts and what they were made from. */
export interface Conflict {
  readonly error: string;
  readonly etag: string | null;
  readonly liveEtag: string | null;
  readonly base: string | null;
  readonly theirs: string | null;
  readonly yours: string;
  /** Merged, with both versions of overlapping lines between markers. */
  readonly proposal: string | null;
}

/** An edit of a page. */
export interface DraftEdit {
  readonly content: string;
  /** The text that was edited. */
  readonly base: string;
  /** Digest of the live file that the edit began from. */
  readonly baseEtag: string;
}
/** A working copy that is to be published. */
export interface SeenDraft {
  /** Digest of the working copy on the screen. */
  readonly etag: string;
  /** Makes the page public. */
  readonly status?: "published";
}

/** All working copies, the latest change first. */
export function listDrafts(): Promise<List<DraftRow>> {
  return json("/drafts");
}

/** The working copy of a page; null without one. */
export async function readDraft(path: string): Promise<Draft | null> {
  // The list first: a browser logs a 404 as an error.
  const { total } = await json<List<DraftRow>>(`/drafts${queryText({ path })}`);
  if (total === 0) return null;
  try {
    return await json<Draft>(sourceUrl("/drafts", path));
  } catch (error) {
    // Published or discarded in between.
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** Saves a working copy; `ifMatch` is the digest of the edited text when that was a draft. */
export function saveDraft(
  path: string,
  edit: DraftEdit,
  ifMatch: string | undefined,
): Promise<Draft> {
  return json(sourceUrl("/drafts", path), { method: "PUT", body: edit, ifMatch });
}

/** Discards a working copy. */
export function discardDraft(path: string): Promise<unknown> {
  return json(sourceUrl("/drafts", path), { method: "DELETE" });
}

/** Writes a working copy to its page. */
export function publishDraft(
  path: string,
  seen: SeenDraft,
  liveEtag: string,
): Promise<Reply<{ etag: string; merged: boolean }>> {
  return request(`${sourceUrl("/drafts", path)}/publish`, {
    method: "POST",
    body: seen,
    ifMatch: liveEtag === "" ? undefined : liveEtag,
  });
}

/** Asks for a review of a working copy, or withdraws the request. */
export function requestReview(path: string, requested: boolean): Promise<DraftRow> {
  return json(`${sourceUrl("/drafts", path)}/review`, { method: "POST", body: { requested } });
}
