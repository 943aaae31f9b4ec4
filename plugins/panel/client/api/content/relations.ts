import type { List } from "./pages.js";
import { json } from "../request.js";

/** Something that a field may name. */
export interface Target {
  /** The value of the field. */
  readonly key: string;
  readonly label: string;
  /** Tells equal labels apart: a route, a type. */
  readonly detail: string;
}
/** The targets that a field may name. */
export interface TargetChoice {
  /** `page`, `record`, `user`, `term`. */
  readonly target: string;
  /** Templates or types; empty: any. */
  readonly of?: readonly string[];
  /** Route above pages, or name of terms. */
  readonly from?: string;
}

/** Targets whose title has the words. */
export function findTargets(choice: TargetChoice, q: string): Promise<List<Target>> {
  return json(pathOf(choice, [["q", q]]));
}

/** The targets of keys; those that lead nowhere are absent. */
export function targetsOf(choice: TargetChoice, keys: readonly string[]): Promise<List<Target>> {
  if (keys.length === 0) return Promise.resolve({ items: [], total: 0 });
  return json(
    pathOf(
      choice,
      keys.map((key) => ["key", key]),
    ),
  );
}

function pathOf({ target, of = [], from = "" }: TargetChoice, more: string[][]): string {
  const query = new URLSearchParams([["of", of.join(",")], ["from", from], ...more]);
  return `/relations/${target}?${query}`;
}
