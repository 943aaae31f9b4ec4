/** References to variables in values, and secrets in them, as their schema marks them. */
import * as z from "zod";
import { type KeyPath, isRecord } from "#lib/values";
import { childSchema, metaOf, unwrap, type Schema, type SchemaMeta } from "./schema-tree.js";
import { variableName } from "./variable-name.js";

/** The variables of an environment. */
export interface VariableSource {
  /** The value; undefined for a variable that is not set, or is empty. */
  get(name: string): string | undefined;
}

/** A variable that a value refers to and that is not set. */
export interface UnsetVariable {
  path: KeyPath;
  variable: string;
  received: string;
}

interface Expansion {
  variables: VariableSource;
  unset: UnsetVariable[];
}
interface ValuePath {
  path: KeyPath;
  schema: Schema | undefined;
  /** Below an object with `enabled: false`, whose variables are optional. */
  isOff: boolean;
}

const FLAG = /^env:([A-Za-z_]\w*)$/;
const TRUE_FLAGS: readonly string[] = ["1", "true", "yes"];
const NUMBER = /^-?\d+(\.\d+)?$/;

/** A copy of `data` with `$NAME` and `${NAME}` replaced where the schema allows it. */
export function expandValues(
  data: unknown,
  schema: Schema | undefined,
  variables: VariableSource,
): { value: unknown; unset: readonly UnsetVariable[] } {
  const expansion: Expansion = { variables, unset: [] };
  const value = expandNode(data, { path: [], schema, isOff: false }, expansion);
  return { value, unset: expansion.unset };
}

function expandNode(data: unknown, path: ValuePath, expansion: Expansion): unknown {
  const meta: SchemaMeta = path.schema ? metaOf(path.schema) : {};
  if (meta.expand === "late") return data;
  if (typeof data === "string") {
    return meta.expand === "flag"
      ? expandFlag(data, expansion.variables)
      : expandText(data, path, expansion);
  }
  if (Array.isArray(data)) {
    return data.map((item, index) => expandNode(item, below(path, index), expansion));
  }
  if (!isRecord(data)) return data;
  const inside = { ...path, isOff: path.isOff || data["enabled"] === false };
  const entries = Object.entries(data).map(
    ([key, item]) => [key, expandNode(item, below(inside, key), expansion)] as const,
  );
  return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
}

function expandText(
  text: string,
  { path, schema, isOff }: ValuePath,
  { variables, unset }: Expansion,
): unknown {
  const variable = variableName(text);
  if (variable === null) return text;
  const value = variables.get(variable);
  if (value !== undefined) return schema ? toExpectedType(value, schema) : value;
  if (!isOff) unset.push({ path, variable, received: text });
  return undefined;
}

function expandFlag(text: string, variables: VariableSource): string | boolean {
  const variable = FLAG.exec(text)?.[1];
  return variable === undefined
    ? text
    : TRUE_FLAGS.includes((variables.get(variable) ?? "").toLowerCase());
}

/** Variables are strings; `port: $SMTP_PORT` becomes a number where the schema expects one. */
function toExpectedType(value: string, schema: Schema): unknown {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodNumber && NUMBER.test(value)) return Number(value);
  if (inner instanceof z.ZodBoolean && (value === "true" || value === "false"))
    return value === "true";
  return value;
}

function below({ path, schema, isOff }: ValuePath, key: string | number): ValuePath {
  return { path: [...path, key], schema: schema && childSchema(schema, key), isOff };
}

/** Replaces a secret. */
const MASK = "***";

/** Names of secrets where no schema marks them: the blocks of plugins and themes. */
const SECRET_NAME = /secret|token|passw|passphrase|credential|(api|private|access)[_-]?key/i;
const CREDENTIALS = /(\w:\/\/)[^/\s@]+@/g;

/** A copy with every secret replaced by `***`: marked in the schema, or by name where there is no schema. */
export function maskSecrets(value: unknown, schema: Schema | undefined, name = ""): unknown {
  const isSecret = schema ? metaOf(schema).secret === true : SECRET_NAME.test(name);
  if (isSecret) return maskWhole(value);
  if (typeof value === "string") return value.replace(CREDENTIALS, `$1${MASK}@`);
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      maskSecrets(item, schema && childSchema(schema, index), name),
    );
  }
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    maskSecrets(item, schema && childSchema(schema, key), key),
  ]);
  return Object.fromEntries(entries);
}

/** An empty value and a reference to a variable reveal nothing. */
function maskWhole(value: unknown): unknown {
  if (value === undefined || value === null || value === "") return value;
  return typeof value === "string" && variableName(value) !== null ? value : MASK;
}
