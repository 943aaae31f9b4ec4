/** Reads definitions of fields. */
import { z } from "zod";
import { nearest } from "../config/nearest.js";
import { schemaTextsOf } from "../config/schema-texts.js";
import type { Field, FieldKind, FieldOption } from "../contracts.js";
import { isRecord } from "../is-record.js";
import { isEmpty } from "./empty.js";
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
}

/** `fields.price.type: there is no kind "txt"; did you mean text?`. */
export function formatFieldProblem({ path, message }: FieldProblem): string {
  return `${path.join(".")}: ${message}`;
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
    .object({
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

/** A file of definitions in which labels and choices are the texts in the file: `options: [1.10, 2.0]`. */
export function definitionTexts(
  data: Readonly<Record<string, unknown>>,
  written: unknown,
): Readonly<Record<string, unknown>> {
  return schemaTextsOf(fileShape, data, written);
}

/** Reads a map of names to definitions. Invalid fields are left out and reported. */
export function readFields(
  definitions: Readonly<Record<string, unknown>>,
  kinds: FieldKinds,
  depth = 1,
): ReadFields {
  const read = Object.entries(definitions).map(([name, definition]) =>
    readField({ name, definition, depth }, kinds),
  );
  return {
    fields: read.flatMap(({ fields }) => fields),
    problems: read.flatMap(({ problems }) => problems),
  };
}

interface Definition {
  readonly name: string;
  readonly definition: unknown;
  readonly depth: number;
}

function readField({ name, definition, depth }: Definition, kinds: FieldKinds): ReadFields {
  const at = ({ path, message }: FieldProblem): FieldProblem => ({
    path: ["fields", name, ...path],
    message,
  });
  const refuse = (...problems: FieldProblem[]): ReadFields => ({
    fields: [],
    problems: problems.map(at),
  });
  const mistake = mistakeIn({ name, definition, depth });
  if (mistake !== null || !isRecord(definition))
    return refuse({ path: [], message: mistake ?? "" });
  const parsed = shape.safeParse(definition);
  if (!parsed.success) {
    const { issues } = parsed.error;
    return refuse(...issues.map(({ path, message }) => ({ path: path.map(String), message })));
  }
  const kind = kinds.get(parsed.data.type);
  if (kind === undefined) return refuse(unknownKind(parsed.data.type, kinds.names));
  const more = moreOf(kind, definition);
  if ("message" in more) return refuse(more);
  const nested = readFields(parsed.data.fields, kinds, depth + 1);
  const problems = [...nested.problems, ...patternProblems(parsed.data.validate)];
  const defaultsToNow = parsed.data.default === "now" && kind.valueAt !== undefined;
  const field: Field = {
    ...toField(name, parsed.data),
    ...(defaultsToNow && { default: undefined }),
    defaultsToNow,
    kind,
    more: more.read,
    fields: nested.fields,
  };
  return { fields: [field], problems: problems.map(at) };
}

/** What is wrong with a field before its keys are read. */
function mistakeIn({ name, definition, depth }: Definition): string | null {
  if (!FIELD_NAME.test(name) || RESERVED.has(name))
    return "a field's name has letters, digits, - and _, starts with a letter, and is not reserved";
  if (!isRecord(definition))
    return `received ${JSON.stringify(definition)}, expected a map with a type`;
  return depth > MAX_DEPTH ? `nested deeper than ${MAX_DEPTH} levels` : null;
}

/** What the kind reads from a definition, or what it says is wrong. */
function moreOf(
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
  return { path: ["type"], message: `there is no kind ${JSON.stringify(type)}; ${hint}` };
}

function toField(
  name: string,
  { label = name, default: fallback, options, validate, when, ...rest }: Shape,
): Omit<Field, "kind" | "more" | "defaultsToNow"> {
  const { min, max, pattern } = validate;
  return {
    ...rest,
    ...{ name, label, min, max },
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
