/** Reads definitions of fields. */
import { z } from "zod";
import { nearest, isRecord } from "#lib/values";
import { readData, schemaTextsOf } from "#lib/schema";
import type { Field, FieldKind, FieldOption } from "./contract.js";
import { coerceValue, valueMistakes, isEmpty } from "./check-fields.js";
import type { FieldKinds } from "./field-kinds.js";

/** Fields, and what is wrong with those left out. */
export interface ReadFields {
  readonly fields: readonly Field[];
  readonly problems: readonly FieldProblem[];
}
/** A mistake in a definition. */
export interface FieldProblem {
  /** Path of keys in the file: `["fields", "price", "type"]`. */
  readonly path: readonly string[];
  readonly message: string;
  /** Tells how to fix it, when more is known than that the definition is wrong. */
  readonly fix?: string;
}
/** The kinds that definitions may name. */
export type KindLookup = Pick<FieldKinds, "get" | "names">;

/** `fields.price.type: there is no kind "txt"; did you mean text?`. */
export function formatFieldProblem({ path, message, fix }: FieldProblem): string {
  return `${path.join(".")}: ${message}${fix === undefined ? "" : `; ${fix}`}`;
}

const RESERVED = new Set(["constructor", "prototype"]);
const FIELD_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
/** Levels of fields within fields. */
const MAX_DEPTH = 10;

const optionText = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const shape = z.object({
  type: z.string(),
  label: z.string().min(1).optional(),
  help: z.string().default(""),
  required: z.boolean().default(false),
  default: z.unknown().optional(),
  options: z.union([z.record(z.string(), optionText), z.array(optionText)]).default({}),
  validate: z
    .strictObject({
      min: z.number().nullable().default(null),
      max: z.number().nullable().default(null),
      pattern: z.string().nullable().default(null),
    })
    .prefault({}),
  when: z.record(z.string(), z.unknown()).nullable().default(null),
  group: z.string().default(""),
  tab: z.string().default(""),
  fields: z.record(z.string(), z.unknown()).default({}),
});
type Shape = z.infer<typeof shape>;

const KEYS: readonly string[] = Object.keys(shape.shape);
/** Keys that belong below `validate`. */
const BOUNDS: readonly string[] = ["min", "max", "pattern"];

const texts = z.string();
const definitionShape = z.looseObject({
  label: texts,
  help: texts,
  group: texts,
  tab: texts,
  options: z.union([z.array(texts), z.record(z.string(), texts)]),
  fields: z.record(
    z.string(),
    z.lazy((): z.ZodType => definitionShape),
  ),
});
const fileShape = z.looseObject({
  title: texts,
  label: texts,
  description: texts,
  fields: z.record(z.string(), definitionShape),
});

/**
 * A file of definitions in which labels, choices, and the defaults and conditions of text kinds are the texts in
 * the file: `options: [1.10, 2.0]`.
 */
export function definitionTexts(
  data: Readonly<Record<string, unknown>>,
  written: unknown,
  kinds: KindLookup,
): Readonly<Record<string, unknown>> {
  const texts = schemaTextsOf(fileShape, data, written);
  const { fields } = texts;
  if (!isRecord(fields)) return texts;
  return { ...texts, fields: valueTexts(fields, readPart(written, "fields"), kinds) };
}

/** Definitions with the texts of their defaults and conditions. */
function valueTexts(
  definitions: Readonly<Record<string, unknown>>,
  written: unknown,
  kinds: KindLookup,
): Record<string, unknown> {
  const toText = (name: string, value: unknown, text: unknown): unknown => {
    const definition = definitions[name];
    const kind = isRecord(definition) ? kinds.get(String(definition["type"])) : undefined;
    if (kind?.texts === undefined) return value;
    return kind.texts(value, text, { ...toField(name, shape.parse({ type: "" })), ...BARE, kind });
  };
  const entries = Object.entries(definitions).map(([name, definition]) => {
    if (!isRecord(definition)) return [name, definition];
    const part = readPart(written, name);
    const changed: Record<string, unknown> = { ...definition };
    const { default: fallback, when, fields } = definition;
    if (!isEmpty(fallback)) changed["default"] = toText(name, fallback, readPart(part, "default"));
    if (isRecord(when)) {
      const texts = readPart(part, "when");
      changed["when"] = Object.fromEntries(
        Object.entries(when).map(([other, allowed]): [string, unknown] => {
          const text = readPart(texts, other);
          const one = (value: unknown, at: number): unknown =>
            toText(other, value, Array.isArray(text) ? text[at] : text);
          return [other, Array.isArray(allowed) ? allowed.map(one) : one(allowed, 0)];
        }),
      );
    }
    if (isRecord(fields)) changed["fields"] = valueTexts(fields, readPart(part, "fields"), kinds);
    return [name, changed];
  });
  return Object.fromEntries(entries);
}

/** Defaults of a field without details. */
const BARE = { more: {}, fields: [], defaultsToNow: false } as const;

function readPart(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Reads a map of names to definitions. Invalid fields are left out and reported. */
export function readFields(
  definitions: Readonly<Record<string, unknown>>,
  kinds: KindLookup,
  depth = 1,
): ReadFields {
  const read = Object.entries(definitions).map(([name, definition]) =>
    readField({ name, definition, depth }, kinds),
  );
  const fields = read.flatMap(({ fields }) => fields);
  return {
    fields: fields.map((field) => withConditions(field, fields)),
    problems: read.flatMap(({ problems }) => problems),
  };
}

/** The field with conditions that have the values of the fields they name: `when: { size: 10 }` of a text. */
function withConditions(field: Field, fields: readonly Field[]): Field {
  if (field.when === null) return field;
  const when = Object.entries(field.when).map(([name, allowed]) => {
    const other = fields.find((one) => one.name === name);
    return [name, other === undefined ? allowed : allowed.flatMap((one) => toValues(other, one))];
  });
  return { ...field, when: Object.fromEntries(when) };
}

function toValues(field: Field, allowed: unknown): readonly unknown[] {
  if (isEmpty(allowed)) return [allowed];
  const value = coerceValue(field, allowed);
  return Array.isArray(value) ? value : [value];
}

interface Definition {
  readonly name: string;
  readonly definition: unknown;
  readonly depth: number;
}

function readField({ name, definition, depth }: Definition, kinds: KindLookup): ReadFields {
  const at = (problem: FieldProblem): FieldProblem => ({
    ...problem,
    path: ["fields", name, ...problem.path],
  });
  const refuse = (...problems: FieldProblem[]): ReadFields => ({
    fields: [],
    problems: problems.map(at),
  });
  const mistake = findMistake({ name, definition, depth });
  if (mistake !== null || !isRecord(definition))
    return refuse({ path: [], message: mistake ?? "" });
  const misspelt = misspeltKeys(definition);
  const parsed = readData(shape, definition);
  if (parsed.mistakes !== null) {
    const mistakes = parsed.mistakes.flatMap(({ path, message, received, fix, unknown }) => {
      const isNamed = misspelt.some(({ meant }) => meant === path.at(-1));
      if (received === undefined && isNamed) return [];
      const isExact = unknown !== undefined || fix.startsWith("did you mean");
      return [{ path: path.map(String), message, ...(isExact && { fix }) }];
    });
    return refuse(...misspelt.map(({ problem }) => problem), ...mistakes);
  }
  const kind = kinds.get(parsed.data.type);
  if (kind === undefined) return refuse(unknownKind(parsed.data.type, kinds.names));
  const more = readMore(kind, definition);
  if ("message" in more) return refuse(more);
  const nested = readFields(parsed.data.fields, kinds, depth + 1);
  const defaultsToNow = parsed.data.default === "now" && kind.valueAt !== undefined;
  const field: Field = {
    ...toField(name, parsed.data),
    ...(defaultsToNow && { default: undefined }),
    defaultsToNow,
    kind,
    more: more.read,
    fields: nested.fields,
  };
  const fallback = checkedDefault(field);
  const problems = [
    ...misspelt.map(({ problem }) => problem),
    ...misplacedBounds(definition, kind),
    ...nested.problems,
    ...patternProblems(parsed.data.validate),
    ...fallback.problems,
  ];
  return { fields: [{ ...field, default: fallback.value }], problems: problems.map(at) };
}

interface MisspeltKey {
  readonly meant: string;
  readonly problem: FieldProblem;
}

/** Keys that are almost known ones; a kind may read any other. */
function misspeltKeys(definition: Readonly<Record<string, unknown>>): MisspeltKey[] {
  return Object.keys(definition).flatMap((key) => {
    const meant = KEYS.includes(key) || BOUNDS.includes(key) ? null : nearest(key, KEYS);
    if (meant === null) return [];
    const fix = `did you mean ${meant}?`;
    return [{ meant, problem: { path: [key], message: "unknown key", fix } }];
  });
}

/** `min: 1` beside `type`, where nothing reads it: a kind with keys of its own may. */
function misplacedBounds(
  definition: Readonly<Record<string, unknown>>,
  kind: FieldKind,
): FieldProblem[] {
  if (kind.read !== undefined) return [];
  return BOUNDS.filter((key) => Object.hasOwn(definition, key)).map((key) => ({
    path: [key],
    message: "unknown key",
    fix: `write validate: { ${key}: ${JSON.stringify(definition[key])} }`,
  }));
}

/** The default as its kind converts it; one that does not fit is left out. */
function checkedDefault(field: Field): { value: unknown; problems: readonly FieldProblem[] } {
  const { name, default: value, kind } = field;
  // The blocks of a site are read after the fields that contain them.
  if (value === undefined || kind.control === "blocks") return { value, problems: [] };
  const alone = { ...field, default: undefined, when: null };
  const problems = valueMistakes([alone], { [name]: value }).map(
    ({ path: [, ...path], received, expected, fix }) => ({
      path: ["default", ...path.map(String)],
      message: `received ${JSON.stringify(received)}, expected ${expected}`,
      ...(fix.startsWith("did you mean") && { fix }),
    }),
  );
  return { value: problems.length > 0 ? undefined : coerceValue(alone, value), problems };
}

/** The mistake of a field that its keys need not be read for; null: none. */
function findMistake({ name, definition, depth }: Definition): string | null {
  if (!FIELD_NAME.test(name) || RESERVED.has(name))
    return "a field's name has letters, digits, - and _, starts with a letter, and is not reserved";
  if (!isRecord(definition))
    return `received ${JSON.stringify(definition)}, expected a map with a type`;
  return depth > MAX_DEPTH ? `nested deeper than ${MAX_DEPTH} levels` : null;
}

/** Lets the kind read a definition; returns its values or its problem. */
function readMore(
  kind: FieldKind,
  definition: Record<string, unknown>,
): { read: Field["more"] } | FieldProblem {
  try {
    return { read: kind.read?.(definition) ?? {} };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const [, key, message] = /^([\w-]+): (.*)$/s.exec(text) ?? [];
    return key === undefined || message === undefined
      ? { path: [], message: text }
      : { path: [key], message };
  }
}

function patternProblems({ pattern }: Shape["validate"]): readonly FieldProblem[] {
  if (pattern === null || isPattern(pattern)) return [];
  const message = `${JSON.stringify(pattern)} is not a regular expression`;
  return [{ path: ["validate", "pattern"], message }];
}

function unknownKind(type: string, names: readonly string[]): FieldProblem {
  const near = nearest(type, names);
  const hint = near === null ? `one of ${names.join(", ")}` : `did you mean ${near}?`;
  return { path: ["type"], message: `there is no kind ${JSON.stringify(type)}`, fix: hint };
}

function toField(
  name: string,
  { label = name, default: fallback, options, validate, when, ...rest }: Shape,
): Omit<Field, "kind" | "more" | "defaultsToNow"> {
  const { min, max, pattern } = validate;
  return {
    ...rest,
    name,
    label,
    min,
    max,
    default: isEmpty(fallback) ? undefined : fallback,
    options: toOptions(options),
    pattern: pattern === null || !isPattern(pattern) ? null : pattern,
    when: when && toConditions(when),
    fields: [],
  };
}

function toConditions(when: Record<string, unknown>): Record<string, readonly unknown[]> {
  return Object.fromEntries(
    Object.entries(when).map(([name, value]) => [name, Array.isArray(value) ? value : [value]]),
  );
}

function toOptions(options: Shape["options"]): readonly FieldOption[] {
  if (Array.isArray(options)) return options.map((value) => ({ value, label: value }));
  return Object.entries(options).map(([value, label]) => ({ value, label }));
}

function isPattern(source: string): boolean {
  try {
    return source.length <= 500 && new RegExp(source, "u") instanceof RegExp;
  } catch {
    return false;
  }
}
