import { childSchema, metaOf, type Schema } from "#lib/schema";
import { isRecord } from "#lib/values";
import { variableName } from "./env.js";

/** Replaces a secret. */
export const MASK = "***";

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
