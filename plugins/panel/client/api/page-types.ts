import { json } from "./request.js";

/** A field of a page type or record type, as the field language describes it. */
export interface Field {
  readonly name: string;
  /** Name of its kind: `text`, `date`, … */
  readonly type: string;
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
}
/** A page type: a template with the fields of its front matter. */
export interface PageType {
  readonly template: string;
  readonly label: string;
  readonly fields: readonly Field[];
  /** Page types allowed below; null: any. */
  readonly children: readonly string[] | null;
}

let types: Promise<readonly PageType[]> | null = null;

/** All page types; loaded once for the whole visit. */
export function listPageTypes(): Promise<readonly PageType[]> {
  types ??= json<{ items: readonly PageType[] }>("/page-types").then(({ items }) => items);
  types.catch(() => {
    types = null;
  });
  return types;
}
