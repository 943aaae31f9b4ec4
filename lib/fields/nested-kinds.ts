/** Kinds whose values have fields of their own, and values of any shape. */
import { isRecord } from "#lib/values";
import type { Field, FieldFinding, FieldKind, JsonSchema } from "./contract.js";
import { coerceFields, fieldTexts, findingsOf } from "./check-fields.js";
import { checkList, listBounds } from "./list-kinds.js";
import { referencesIn, referencesInItems } from "./relation-kinds.js";

/** The fields of each block, by name. */
export type BlockFields = ReadonlyMap<string, readonly Field[]>;

const NO_MAP: FieldFinding = { issue: "kind", rest: "must be a map of fields." };

/** A map of the fields' values; other keys stay. */
function toMap(value: unknown, fields: readonly Field[], depth: number): unknown {
  return isRecord(value) ? { ...value, ...coerceFields(fields, value, depth + 1) } : value;
}

/** A list of maps, or one map, with the texts in the file. */
function textsInMaps(
  value: unknown,
  texts: unknown,
  fieldsOf: (item: unknown) => readonly Field[],
): unknown {
  if (Array.isArray(value)) {
    const written: readonly unknown[] = Array.isArray(texts) ? texts : [];
    return value.map((item: unknown, at) => textsInMaps(item, written[at], fieldsOf));
  }
  return isRecord(value) ? fieldTexts(fieldsOf(value), value, texts) : value;
}

function toMaps(value: unknown, toOne: (item: unknown) => unknown): readonly unknown[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.map(toOne);
}

function checkItems(
  value: unknown,
  field: Field,
  check: (item: Record<string, unknown>) => readonly FieldFinding[],
): readonly FieldFinding[] {
  const finding = checkList(value, field);
  if (finding !== null || !Array.isArray(value)) return finding === null ? [] : [finding];
  return value.flatMap((item: unknown, index) => {
    const issues = isRecord(item) ? check(item) : [NO_MAP];
    return issues.map(({ at, ...rest }) => ({
      ...rest,
      at: at === undefined ? String(index) : `${index}.${at}`,
    }));
  });
}

const object: FieldKind = {
  control: "object",
  coerce: (value, { fields }, depth) => toMap(value, fields, depth),
  texts: (value, texts, { fields }) => textsInMaps(value, texts, () => fields),
  check: (value, { fields }, depth) =>
    isRecord(value) ? findingsOf(fields, value, depth + 1) : NO_MAP,
  references: (value, { fields }) => (isRecord(value) ? referencesIn(fields, value) : []),
  jsonSchema: ({ fields }) => fieldsSchema(fields),
};

const structure: FieldKind = {
  control: "structure",
  coerce: (value, { fields }, depth) => toMaps(value, (item) => toMap(item, fields, depth)),
  texts: (value, texts, { fields }) => textsInMaps(value, texts, () => fields),
  check: (value, field, depth) =>
    checkItems(value, field, (item) => findingsOf(field.fields, item, depth + 1)),
  references: (value, { fields }) => referencesInItems(value, () => fields),
  jsonSchema: (field) => ({
    type: "array",
    items: fieldsSchema(field.fields),
    ...listBounds(field),
  }),
};

/** Lists of typed blocks: `{ type: hero, … }`. */
function blocks(blockFields: () => BlockFields): FieldKind {
  const allowed = ({ more }: Field): readonly string[] => {
    const names = Array.isArray(more["blocks"]) ? more["blocks"].map(String) : null;
    return names ?? [...blockFields().keys()];
  };
  const findFields = (item: unknown): readonly Field[] =>
    (isRecord(item) ? blockFields().get(String(item["type"])) : undefined) ?? [];
  return {
    control: "blocks",
    read: ({ blocks: names }) => (names === undefined ? {} : { blocks: blockNames(names) }),
    texts: (value, texts) => textsInMaps(value, texts, findFields),
    coerce: (value, _field, depth) => toMaps(value, (item) => toMap(item, findFields(item), depth)),
    check: (value, field, depth) => {
      const names = allowed(field);
      return checkItems(value, field, (item) =>
        names.includes(String(item["type"])) && blockFields().has(String(item["type"]))
          ? findingsOf(findFields(item), item, depth + 1)
          : [{ issue: "option", rest: `must be one of: ${names.join(", ")}.`, at: "type" }],
      );
    },
    references: (value) => referencesInItems(value, findFields),
    jsonSchema: (field) => ({
      type: "array",
      items: {
        anyOf: allowed(field).map((name) => blockSchema(name, blockFields().get(name) ?? [])),
      },
      ...listBounds(field),
    }),
  };
}

/** Blocks in blocks are named, not repeated: a block may contain itself. */
function blockSchema(name: string, fields: readonly Field[]): JsonSchema {
  const flat = fields.filter(({ type }) => type !== "blocks");
  const { properties, required, ...schema } = fieldsSchema(flat);
  const declared = isRecord(properties) ? properties : {};
  const needed: unknown[] = Array.isArray(required) ? required : [];
  const nested = fields.flatMap(({ name: field, type }) =>
    type === "blocks" ? [[field, { type: "array" }] as const] : [],
  );
  return {
    ...schema,
    properties: { type: { const: name }, ...declared, ...Object.fromEntries(nested) },
    required: ["type", ...needed],
  };
}

function blockNames(value: unknown): readonly string[] {
  if (Array.isArray(value) && value.every((name) => typeof name === "string")) return value;
  throw new Error(`blocks: received ${JSON.stringify(value)}, expected a list of names of blocks`);
}

const anything = (control: string): FieldKind => ({
  control,
  check: () => null,
  jsonSchema: () => ({}),
});

/** The kinds of nested values; `known` returns the blocks of the site. */
export function nestedKinds(blockFields: () => BlockFields): Readonly<Record<string, FieldKind>> {
  return {
    object,
    structure,
    blocks: blocks(blockFields),
    json: anything("json"),
    hidden: anything("hidden"),
  };
}

/** JSON Schema of a map with these fields; other keys are allowed. */
export function fieldsSchema(fields: readonly Field[]): JsonSchema {
  // A field with a condition is not required in every case.
  const required = fields.filter(({ required, when }) => required && when === null);
  return {
    type: "object",
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])),
    ...(required.length > 0 && { required: required.map(({ name }) => name) }),
  };
}

/** JSON Schema of one field's value. */
function fieldSchema(field: Field): JsonSchema {
  return {
    ...field.kind.jsonSchema(field),
    title: field.label,
    ...(field.help !== "" && { description: field.help }),
    ...(field.default !== undefined && { default: field.default }),
  };
}
