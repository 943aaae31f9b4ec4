import { json } from "../request.js";
import type { List } from "./pages.js";

/** A field of a page type or record type, as the field language describes it. */
export interface Field {
  readonly name: string;
  /** Name of its kind: `text`, `date`, … */
  readonly type: string;
  /** The control that its kind names; absent in forms of the panel itself. */
  readonly control?: string;
  readonly label: string;
  /** A sentence below the control; empty without one. */
  readonly help: string;
  readonly required: boolean;
  readonly default?: unknown;
  readonly options: readonly { value: string; label: string }[];
  readonly min: number | null;
  readonly max: number | null;
  readonly pattern: string | null;
  /** Fields beside it and the values one of which each must have. */
  readonly when: Readonly<Record<string, readonly unknown[]>> | null;
  readonly group: string;
  readonly tab: string;
  /** Fields of each value of an `object` or `structure`. */
  readonly fields: readonly Field[];
  /** What its kind reads of its definition: `of`, `from`, `blocks`. */
  readonly more?: Readonly<Record<string, unknown>>;
}
/** A block: one type of items in a field of type `blocks`. */
export interface BlockType {
  readonly name: string;
  readonly label: string;
  readonly fields: readonly Field[];
}
/** A page type: a template with the fields of its front matter. */
export interface PageType {
  readonly template: string;
  readonly label: string;
  readonly fields: readonly Field[];
  /** Page types allowed below; null: any. */
  readonly children: readonly string[] | null;
}

interface Types {
  readonly items: readonly PageType[];
  readonly blocks: readonly BlockType[];
}
let types: Promise<Types> | null = null;

/** All page types; loaded once, until `invalidatePageTypes`. */
export async function listPageTypes(): Promise<readonly PageType[]> {
  return (await load()).items;
}

/** All blocks. */
export async function listBlockTypes(): Promise<readonly BlockType[]> {
  return (await load()).blocks;
}

/** Loads page types and blocks again when they are asked for: a file that describes them may have changed. */
export function invalidatePageTypes(): void {
  types = null;
}

function load(): Promise<Types> {
  types ??= json<Types>("/page-types");
  types.catch(() => {
    types = null;
  });
  return types;
}

/** Something that a field may name. */
export interface Target {
  /** The value of the field. */
  readonly key: string;
  readonly label: string;
  /** Tells equal labels apart: a route, a type. */
  readonly detail: string;
}
/** What a field may name. */
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
