/** What was typed and not yet saved, kept in the browser: nothing is lost with a connection or a tab. */
import { del, get, set } from "idb-keyval";
import { session } from "../../api/session.js";
import type { Version } from "./version.js";

/** A text that the server has not acknowledged. */
export interface LocalCopy {
  readonly text: string;
  /** What the text was made from. */
  readonly base: Version;
  readonly liveEtag: string;
  /** Unix ms. */
  readonly at: number;
}

/** The text that was not saved; null without one, or without storage. */
export async function readLocalCopy(path: string): Promise<LocalCopy | null> {
  try {
    return (await get<LocalCopy>(keyOf(path))) ?? null;
  } catch {
    return null;
  }
}

/** Stores a text; a browser without storage goes on without. */
export async function writeLocalCopy(path: string, copy: LocalCopy): Promise<void> {
  try {
    await set(keyOf(path), copy);
  } catch {
    // Private windows may refuse storage: saving to the server goes on.
  }
}

/** Removes a text that was saved. */
export async function dropLocalCopy(path: string): Promise<void> {
  try {
    await del(keyOf(path));
  } catch {
    // Nothing was stored.
  }
}

function keyOf(path: string): string {
  return `sitewright:${session.value?.user.id ?? ""}:${path}`;
}
