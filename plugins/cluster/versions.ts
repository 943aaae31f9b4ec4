/** Names the state that a change led to, so that nodes that find the same change recognise it. */
import type { Change } from "#kernel";
import { sha256 } from "#lib/secrets";
import type { PageEntry } from "../content/contract.js";
import type {} from "../flex/contract.js";
import type { Version } from "./transport.js";

/** The version of a change that is announced; null for a change that nothing follows from. */
export function versionOf(change: Change, now: number): Version | null {
  const { kind, key } = change;
  if (kind === "page") return pageVersion(change, now);
  if (kind !== "record") return null;
  const { before, after } = change;
  const [old, next] = [digestOf(before), digestOf(after)];
  const of = `record:${key}`;
  return after === null
    ? { key: of, state: "-", exact: `-${old}` }
    : { key: of, state: next, exact: next };
}

function pageVersion({ key, op, before, after }: Change<"page">, now: number): Version | null {
  if (op === "delete") return { key: `page:${key}`, state: "-", exact: `-${fileOf(before)}` };
  // The file cannot be read at the moment.
  if (after === null) return null;
  if (before === after) return { key: `due:${key}`, ...dueAt(after, now) };
  // Only the page's surroundings changed.
  if (before?.hash === after.hash) return null;
  return { key: `page:${key}`, state: after.hash, exact: fileOf(after) };
}

/** All nodes know a scheduled change by its time. */
function dueAt({ publishAt, unpublishAt }: PageEntry, now: number): Omit<Version, "key"> {
  const past = [publishAt ?? 0, unpublishAt ?? 0].filter((time) => time <= now);
  const state = String(Math.max(0, ...past));
  return { state, exact: state };
}

function fileOf(entry: PageEntry | null): string {
  return entry === null ? "" : `${entry.hash}@${entry.mtimeMs}`;
}

function digestOf(value: unknown): string {
  return sha256(JSON.stringify(value)).slice(0, 32);
}
