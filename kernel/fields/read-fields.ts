/** Reads definitions of fields. */
import { z } from "zod";
import { nearest } from "../config/nearest.js";
import type { Field, FieldKind, FieldOption } from "../contracts.js";
import { isRecord } from "../is-record.js";
import { isEmpty } from "./empty.js";
import type { FieldKinds } from "./field-kinds.js";

/** Fields, and what was wrong with those left out: `fields.price.type: …`. */
export interface ReadFields {
  readonly fields: readonly Field[];
  readonly problems: readonly string[];
}

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
  const refuse = (...messages: string[]): ReadFields => ({
    fields: [],
    problems: messages.map((message) => `fields.${name}${message}`),
  });
  if (!FIELD_NAME.test(name))
    return refuse(": a field's name has letters, digits, - and _, and starts with a letter");
  if (!isRecord(definition))
    return refuse(`: received ${JSON.stringify(definition)}, expected a map with a type`);
  if (depth > MAX_DEPTH) return refuse(`: nested deeper than ${MAX_DEPTH} levels`);
  const parsed = shape.safeParse(definition);
  if (!parsed.success) {
    const messages = parsed.error.issues.map(
      ({ path, message }) => `${path.join(".")}: ${message}`,
    );
    return refuse(...messages.map((message) => `.${message}`));
  }
  const kind = kinds.get(parsed.data.type);
  if (kind === undefined) return refuse(unknownKind(parsed.data.type, kinds.names));
  const more = moreOf(kind, definition);
  if (typeof more === "string") return refuse(`.${more}`);
  const nested = readFields(parsed.data.fields, kinds, depth + 1);
  const problems = [...nested.problems, ...patternProblems(parsed.data.validate)];
  const field = { ...toField(name, parsed.data), kind, more, fields: nested.fields };
  return { fields: [field], problems: problems.map((problem) => `fields.${name}.${problem}`) };
}

/** What the kind reads from a definition, or what it says is wrong. */
function moreOf(kind: FieldKind, definition: Record<string, unknown>): Field["more"] | string {
  try {
    return kind.read?.(definition) ?? {};
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function patternProblems({ pattern }: Shape["validate"]): readonly string[] {
  if (pattern === null || isPattern(pattern)) return [];
  return [`validate.pattern: ${JSON.stringify(pattern)} is not a regular expression`];
}

function unknownKind(type: string, names: readonly string[]): string {
  const near = nearest(type, names);
  const hint = near === null ? `one of ${names.join(", ")}` : `did you mean ${near}?`;
  return `.type: there is no kind ${JSON.stringify(type)}; ${hint}`;
}

function toField(
  name: string,
  { label = name, default: fallback, options, validate, when, ...rest }: Shape,
): Omit<Field, "kind" | "more"> {
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
