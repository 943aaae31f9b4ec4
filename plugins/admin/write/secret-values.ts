import { isRecord } from "#kernel";
import { childOf, isMarked } from "./schema-walk.js";

const SECRET = /secret|password|passwd|token|api_?key|credential|private_?key|^pass$|^key$/i;
/** User name and password in a URL: `redis://user:pass@host`. */
const USER_INFO = /(\b[a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#]+@/gi;
/** Replacement for a secret. */
export const MASK = "••••••";

/**
 * Masks secrets: values with such a name, and those that the JSON Schema marks as `writeOnly`. `$NAME` is
 * only a reference and stays visible.
 */
export function withoutSecrets(value: unknown, schema?: unknown, key = ""): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => withoutSecrets(item, childOf(schema, null), key));
  }
  if (isRecord(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        name,
        withoutSecrets(item, childOf(schema, name), name),
      ]),
    );
  }
  const isSecret = SECRET.test(key) || isMarked(schema, "writeOnly");
  if (typeof value !== "string" || value.startsWith("$")) return value;
  if (isSecret && value !== "") return MASK;
  return value.replace(USER_INFO, `$1${MASK}@`);
}

/** True when a value contains the mask, which must not be saved. */
export function holdsMask(value: unknown): boolean {
  return JSON.stringify(value ?? null).includes(MASK);
}
