import { mergeTexts } from "#kernel/internal";
import type { PageFile } from "../write/page-source.js";
import { textDigest, type Draft, type DraftPerson } from "./draft-records.js";

/** A text to store as working copy. */
export interface DraftEdit {
  readonly content: string;
  /** Digest of the live file that the text takes into account; empty: there was none. */
  readonly baseEtag?: string | undefined;
  /** The text that was edited: a live file, or an earlier working copy. */
  readonly base?: string | undefined;
  /** `If-Match`: digest of the working copy that was edited; `*`: any; undefined: there was none. */
  readonly match: string | undefined;
}
/** Where an edit goes. */
export interface DraftPlace {
  readonly path: string;
  readonly live: PageFile | null;
  readonly author: DraftPerson;
  /** Unix ms. */
  readonly now: number;
  titleOf(content: string): string;
}
/** Two texts that cannot be merged; null: the text is unknown or does not exist. */
export interface TextConflict {
  readonly error: string;
  readonly base: string | null;
  readonly theirs: string | null;
  readonly proposal: string | null;
}
/** What an edit leads to. */
export type DraftOutcome =
  { readonly draft: Draft; readonly isMerged: boolean } | { readonly conflict: TextConflict };

type Base = Draft["base"];
type Text = { readonly text: string; readonly isMerged: boolean } | { conflict: TextConflict };

const MOVED = "the page has changed since it was read";
const SAVED = "the working copy was saved by someone else since it was read";

/** The working copy after an edit of the stored one. */
export function editDraft(stored: Draft | null, edit: DraftEdit, place: DraftPlace): DraftOutcome {
  const base = stored === null ? firstBase(edit, place.live) : nextBase(stored, edit, place.live);
  if ("conflict" in base) return base;
  const text = stored === null ? firstText(edit, place.live) : nextText(stored, edit);
  if ("conflict" in text) return text;
  const { path, author, now, titleOf } = place;
  const title = titleOf(text.text);
  const own = { content: text.text, title, author, updatedAt: now, base };
  const draft = stored ?? { path, createdAt: now, review: null };
  return { draft: { ...draft, ...own }, isMerged: text.isMerged };
}

/** The live file as base of a working copy. */
export function baseOf(live: PageFile | null): Base {
  return { hash: live?.hash ?? null, text: live?.raw ?? "" };
}

function firstBase({ baseEtag, base, match }: DraftEdit, live: PageFile | null) {
  const current = baseOf(live);
  const isEditOfDraft = match !== undefined && match !== "*";
  if (isEditOfDraft || isSame(baseEtag, current)) return current;
  if (base !== undefined && textDigest(base) === baseEtag) return { hash: baseEtag, text: base };
  return { conflict: { error: MOVED, base: null, theirs: live?.raw ?? null, proposal: null } };
}

/** After a conflict with the live file, an edit names the live file that it takes into account. */
function nextBase({ base }: Draft, { baseEtag, match }: DraftEdit, live: PageFile | null) {
  if (isSame(baseEtag, base) || match === undefined) return base;
  const current = baseOf(live);
  if (isSame(baseEtag, current)) return current;
  return { conflict: { error: MOVED, base: base.text, theirs: current.text, proposal: null } };
}

function isSame(etag: string | undefined, { hash }: Base): boolean {
  return etag === undefined || etag === (hash ?? "");
}

/** The working copy that was edited is published or discarded: the edit continues on the live file. */
function firstText({ content, base, match }: DraftEdit, live: PageFile | null): Text {
  const isLive = match === undefined || match === "*" || match === live?.hash;
  if (isLive) return { text: content, isMerged: false };
  const error = "the working copy was published or discarded since it was read";
  const known = base !== undefined && textDigest(base) === match ? base : null;
  return mergedOver({ error, base: known, yours: content, theirs: live?.raw ?? null });
}

function nextText(stored: Draft, edit: DraftEdit): Text {
  const { content, match } = edit;
  const isCurrent = match === "*" || match === textDigest(stored.content);
  if (isCurrent || content === stored.content) return { text: content, isMerged: false };
  const base = commonText(stored, edit);
  return mergedOver({ error: SAVED, base, yours: content, theirs: stored.content });
}

/** The text from which both versions were made; null: unknown. */
function commonText({ base: first }: Draft, { base, baseEtag, match }: DraftEdit): string | null {
  if (match === undefined) return isSame(baseEtag, first) ? first.text : null;
  if (base !== undefined && textDigest(base) === match) return base;
  return match === first.hash ? first.text : null;
}

function mergedOver(texts: {
  error: string;
  base: string | null;
  yours: string;
  theirs: string | null;
}): Text {
  const { error, base, yours, theirs } = texts;
  if (base === null || theirs === null) {
    return { conflict: { error, base, theirs, proposal: null } };
  }
  const labels = { ours: "yours", theirs: "theirs" };
  const { text, conflicts } = mergeTexts({ base, ours: yours, theirs, labels });
  if (conflicts === 0) return { text, isMerged: true };
  return { conflict: { error, base, theirs, proposal: text } };
}
