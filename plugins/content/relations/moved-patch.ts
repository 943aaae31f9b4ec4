/** Rewrites relations when the pages that they name move. */
import type { FieldReference } from "#kernel/internal";
import type { PageEntry } from "../contract.js";
import { keyOfFile, normalKey } from "./page-key.js";

/** How pages are found, and where they are afterwards. */
export interface MovedPages {
  page(key: string): PageEntry | undefined;
  pathAfter(path: string): string;
}

/** The keys to change; null when nothing changes. */
export function movedPatch(
  values: Readonly<Record<string, unknown>>,
  references: readonly FieldReference[],
  pages: MovedPages,
): Readonly<Record<string, unknown>> | null {
  const patch: Record<string, unknown> = {};
  for (const { target, key, at } of references) {
    const next = keyAfter(target, key, pages);
    const [name] = at;
    if (next === null || typeof name !== "string") continue;
    const value: unknown = Object.hasOwn(patch, name) ? patch[name] : values[name];
    patch[name] = replaced(value, at.slice(1), next);
  }
  return Object.keys(patch).length === 0 ? null : patch;
}

/** The key after the move; null when it stays. */
function keyAfter(target: string, key: string, { page, pathAfter }: MovedPages): string | null {
  const slash = target === "media" ? key.lastIndexOf("/") : key.length;
  if (slash < 0 || (target !== "page" && target !== "media")) return null;
  const entry = page(key.slice(0, slash));
  if (entry === undefined) return null;
  const next = keyOfFile(entry, pathAfter(entry.sourcePath));
  return next === normalKey(key.slice(0, slash)) ? null : next + key.slice(slash);
}

/** A copy with another value at a path. A single value stands for a list of one. */
function replaced(value: unknown, at: readonly (string | number)[], next: string): unknown {
  const [step, ...rest] = at;
  if (step === undefined) return next;
  if (Array.isArray(value))
    return value.map((item: unknown, index) =>
      index === step ? replaced(item, rest, next) : item,
    );
  if (typeof value !== "object" || value === null) return step === 0 ? next : value;
  if (typeof step === "number") return replaced(value, rest, next);
  const entries = Object.entries(value).map(([name, item]: [string, unknown]) => [
    name,
    name === step ? replaced(item, rest, next) : item,
  ]);
  return Object.fromEntries(entries);
}
