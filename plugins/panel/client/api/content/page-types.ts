import { json } from "../request.js";

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
  /** Its kind reads these keys of its definition: `of`, `from`, `blocks`. */
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
