import { z } from "zod";
import { isRecord } from "#kernel";
import type { FlexField, FlexType } from "../contract.js";
import { isEmpty } from "./coerce.js";
import { readYamlMap } from "../records/read-yaml.js";

/** A problem of a file; `line` where known. */
export interface FileProblem {
  readonly code: string;
  readonly message: string;
  readonly line?: number;
}
/** A type, as far as its file could be read. */
export interface ReadType {
  /** Null when the file is not a schema. */
  readonly type: FlexType | null;
  readonly problems: readonly FileProblem[];
}

const FIELD_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const KINDS = [
  "text",
  "textarea",
  "markdown",
  "number",
  "toggle",
  "date",
  "select",
  "list",
  "file",
  "color",
] as const;

const typeShape = z.object({
  title: z.string().min(1).optional(),
  icon: z.string().default(""),
  description: z.string().default(""),
  version: z.int().min(0).default(0),
  fields: z.record(z.string(), z.unknown()),
});
const optionText = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const fieldShape = z.object({
  type: z.enum(KINDS),
  label: z.string().min(1).optional(),
  required: z.boolean().default(false),
  default: z.unknown().optional(),
  options: z.union([z.record(z.string(), optionText), z.array(optionText)]).optional(),
  validate: z
    .object({
      min: z.number().optional(),
      max: z.number().optional(),
      pattern: z.string().optional(),
    })
    .default({}),
});

/** Reads a schema file. Invalid fields are skipped and reported. */
export function readType(name: string, text: string): ReadType {
  const yaml = readYamlMap(text);
  if (!yaml.ok) return broken({ code: "ERR_FLEX_YAML", message: yaml.message, line: yaml.line });
  const shape = typeShape.safeParse(yaml.value);
  if (!shape.success) return broken(...shape.error.issues.map((issue) => schemaProblem(issue)));
  const { title = name, fields: sources, ...head } = shape.data;
  const read = Object.entries(sources).map(([field, source]) => readField(field, source));
  const fields = read.flatMap(({ field }) => field ?? []);
  return {
    type: { name, title, ...head, fields },
    problems: read.flatMap(({ problems }) => problems),
  };
}

function broken(...problems: FileProblem[]): ReadType {
  return { type: null, problems };
}

function schemaProblem(issue: z.core.$ZodIssue, prefix = ""): FileProblem {
  const key = prefix + issue.path.map(String).join(".");
  return { code: "ERR_FLEX_SCHEMA", message: `${key}: ${issue.message}` };
}

function readField(
  name: string,
  source: unknown,
): { field: FlexField | null; problems: FileProblem[] } {
  const refuse = (message: string) => ({
    field: null,
    problems: [{ code: "ERR_FLEX_SCHEMA", message: `fields.${name}: ${message}` }],
  });
  if (!FIELD_NAME.test(name))
    return refuse("a field's name has letters, digits, - and _, and starts with a letter");
  if (!isRecord(source))
    return refuse(`received ${JSON.stringify(source)}, expected a map with a type`);
  const shape = fieldShape.safeParse(source);
  if (!shape.success) {
    return {
      field: null,
      problems: shape.error.issues.map((issue) => schemaProblem(issue, `fields.${name}.`)),
    };
  }
  return toField(name, shape.data);
}

function toField(
  name: string,
  { type, label, required, default: fallback, options, validate }: z.infer<typeof fieldShape>,
): { field: FlexField; problems: FileProblem[] } {
  const { min = null, max = null, pattern = null } = validate;
  const isUsable = pattern === null || isPattern(pattern);
  const problem = `fields.${name}.validate.pattern: ${JSON.stringify(pattern)} is not a regular expression`;
  return {
    field: {
      name,
      type,
      label: label ?? name,
      required,
      default: isEmpty(fallback) ? undefined : fallback,
      options: toOptions(options ?? {}),
      min,
      max,
      pattern: isUsable ? pattern : null,
    },
    problems: isUsable ? [] : [{ code: "ERR_FLEX_SCHEMA", message: problem }],
  };
}

function toOptions(options: Record<string, string> | string[]): FlexField["options"] {
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
