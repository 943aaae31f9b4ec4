/** Kinds whose values name something else of the site: a page, a record, a file, an account. */
import { isRecord } from "#lib/values";
import type { Field, FieldFinding, FieldKind, FieldReference } from "./contract.js";
import { isEmpty } from "./check-fields.js";
import { checkList, listBounds } from "./list-kinds.js";
import { numberTexts, textInFile, toText } from "./value-kinds.js";

/** Maximum length of a key. */
const MAX_KEY = 500;

/** A kind of relation. */
export interface RelationKind {
  /** The kind of the targets: `page`. */
  readonly target: string;
  /** True for lists of keys. */
  readonly isList: boolean;
  /** Describes what a key's form lacks; null: it has the form. The label and a space come before. */
  form(key: string): string | null;
}

/** A kind of fields whose values are keys of something else. `of` and `from` narrow the choice. */
export function relationKind({ target, isList, form }: RelationKind): FieldKind {
  const checkOne = (value: unknown): FieldFinding | null => {
    if (typeof value !== "string") return { issue: "kind", rest: "must be a text." };
    const isOdd = value.length > MAX_KEY || /[\\\p{Cc}]/u.test(value);
    const rest = isOdd || value.split("/").includes("..") ? "has an invalid format." : form(value);
    return rest === null ? null : { issue: "format", rest };
  };
  const one: FieldKind = {
    control: target,
    read: readChoice,
    coerce: toText,
    texts: textInFile,
    check: checkOne,
    references: (value, field) =>
      typeof value === "string" ? [{ target, key: value, field, at: [] }] : [],
    jsonSchema: () => ({ type: "string" }),
  };
  return isList ? listOf(one, `${target}s`) : one;
}

function listOf(one: FieldKind, control: string): FieldKind {
  return {
    control,
    ...(one.read && { read: one.read }),
    coerce: (value) => (Array.isArray(value) ? value : [value]).map(toText),
    texts: numberTexts,
    check: (value, field, depth) => {
      const finding = checkList(value, field);
      if (finding !== null || !Array.isArray(value)) return finding;
      return value.flatMap((key: unknown, index) => {
        const issues = one.check(key, field, depth);
        return issues === null || !("issue" in issues) ? [] : [{ ...issues, at: String(index) }];
      });
    },
    references: (value, field) =>
      toItems(value).flatMap((key, index) =>
        (one.references?.(key, field) ?? []).map((reference) => ({ ...reference, at: [index] })),
      ),
    jsonSchema: (field) => ({
      type: "array",
      items: one.jsonSchema(field),
      ...listBounds(field),
    }),
  };
}

/** `of`: names of templates or types, a text or a list; `from`: a route. */
function readChoice({ of, from }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const names: readonly unknown[] = isEmpty(of) ? [] : Array.isArray(of) ? of : [of];
  if (!names.every((name) => typeof name === "string"))
    throw new Error(`of: received ${JSON.stringify(of)}, expected a name or a list of names`);
  if (!isEmpty(from) && (typeof from !== "string" || !from.startsWith("/")))
    throw new Error(`from: received ${JSON.stringify(from)}, expected a route such as /blog`);
  return { of: names, from: isEmpty(from) ? null : from };
}

/** The names in `of` of a relation's definition; empty: any. */
export function relationTargets({ more }: Field): readonly string[] {
  return Array.isArray(more["of"]) ? more["of"].map(String) : [];
}

/** Lists the targets that the values of these fields name, nested ones included. */
export function referencesIn(
  fields: readonly Field[],
  values: Readonly<Record<string, unknown>>,
): readonly FieldReference[] {
  return fields.flatMap((field) => {
    const value = Object.hasOwn(values, field.name) ? values[field.name] : undefined;
    if (isEmpty(value) || field.kind.references === undefined) return [];
    const references = field.kind.references(value, field);
    return references.map((one) => ({ ...one, at: [field.name, ...one.at] }));
  });
}

/** Lists the targets that a list of maps names; `fieldsOf` returns the fields of one. */
export function referencesInItems(
  value: unknown,
  fieldsOf: (item: Record<string, unknown>) => readonly Field[],
): readonly FieldReference[] {
  return toItems(value).flatMap((item, index) => {
    const references = isRecord(item) ? referencesIn(fieldsOf(item), item) : [];
    return references.map((one) => ({ ...one, at: [index, ...one.at] }));
  });
}

function toItems(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}
