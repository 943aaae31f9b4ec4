/**
 * Keeps in the browser what was typed and not yet saved: nothing is lost with a connection or a tab.
 * Each window has a copy of its own; the copy of a window that is closed goes to the next that opens the page.
 */
import { del, get, keys, set } from "idb-keyval";
import { session } from "../../../api/session.js";

/** A text that the server has not acknowledged. */
export interface LocalCopy {
  readonly text: string;
  /** The version that the text was made from. */
  readonly base: Version;
  readonly liveEtag: string;
  /** Unix ms. */
  readonly at: number;
}

/** A window that was just closed, or is reloaded, may hold its lock for a moment, in ms. */
const RELEASE_MS = 300;
const LOCK = "sitewright:window:";
// `crypto.randomUUID` needs a secure context.
const OWN = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
let release = (): void => undefined;

/** Held while this page is shown; a browser without locks takes every other window for closed. */
function holdLock(): void {
  const until = new Promise<void>((resolve) => (release = resolve));
  void navigator.locks?.request(LOCK + OWN, () => until);
}
holdLock();
// A page that was left may stay in memory, and come back from there.
addEventListener("pagehide", () => release());
addEventListener("pageshow", ({ persisted }) => persisted && holdLock());

/** The newest text that was not saved, of no other open window; null without one, or without storage. */
export async function readLocalCopy(path: string): Promise<LocalCopy | null> {
  try {
    const copies = await Promise.all((await freeKeys(path)).map((key) => readAt(key)));
    const [newest] = copies.flatMap((one) => one ?? []).sort((a, b) => b.copy.at - a.copy.at);
    if (newest === undefined) return null;
    const { key, copy } = newest;
    if (key === toKey(path)) return copy;
    await set(toKey(path), copy);
    await del(key);
    return copy;
  } catch {
    return null;
  }
}

/** Stores a text; a browser without storage goes on without. */
export async function writeLocalCopy(path: string, copy: LocalCopy): Promise<void> {
  try {
    await set(toKey(path), copy);
  } catch {
    // Private windows may refuse storage: saving to the server goes on.
  }
}

/** Removes a text that was saved. */
export async function dropLocalCopy(path: string): Promise<void> {
  try {
    await del(toKey(path));
  } catch {
    // Nothing was stored.
  }
}

/** Keys of copies of this window and of closed ones. */
async function freeKeys(path: string): Promise<string[]> {
  const prefix = keyPrefix(path);
  const all = (await keys()).filter(
    (key): key is string =>
      typeof key === "string" && key.startsWith(prefix) && !key.slice(prefix.length).includes(":"),
  );
  const isFree = (key: string, open: ReadonlySet<string>): boolean =>
    key === toKey(path) || !open.has(key.slice(prefix.length));
  const open = await openWindows();
  if (all.every((key) => isFree(key, open))) return all;
  await new Promise((resolve) => setTimeout(resolve, RELEASE_MS));
  const still = await openWindows();
  return all.filter((key) => isFree(key, still));
}

async function openWindows(): Promise<ReadonlySet<string>> {
  const held = (await navigator.locks?.query())?.held ?? [];
  return new Set(held.map(({ name = "" }) => name.slice(LOCK.length)));
}

async function readAt(key: string): Promise<{ key: string; copy: LocalCopy } | null> {
  const copy = await get<LocalCopy>(key);
  return copy === undefined ? null : { key, copy };
}

function keyPrefix(path: string): string {
  return `sitewright:${session.value?.user.id ?? ""}:${path}:`;
}

function toKey(path: string): string {
  return keyPrefix(path) + OWN;
}

/** A text that the server knows. */
export interface Version {
  readonly text: string;
  readonly etag: string;
  /** False: the live file. */
  readonly isDraft: boolean;
}
