import { isErrorCode } from "#lib/errors";
import { isSecretName, withoutSecrets } from "#lib/secrets";

/** Maximum length of a logged string, in characters. */
const MAX_LENGTH = 256;
/** Maximum length of the part that is scanned, in characters. */
const MAX_SCANNED = 4_096;
/** Maximum depth of the search for secrets in nested fields. */
const MAX_DEPTH = 3;
// oxlint-disable-next-line no-control-regex -- it matches control characters
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;
const PLAIN_NAMES: ReadonlySet<string> = new Set(["method", "path", "req", "trace"]);

/** The fields of a line: secrets are redacted, texts cut, control characters escaped. */
export function cleanFields(fields: object = {}, depth = 0): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields)) {
    // Only strings and values that contain strings can leak a secret.
    const isPlain = typeof value !== "string" && (typeof value !== "object" || value === null);
    result[key] = isPlain ? value : cleanField(key, value, depth);
  }
  return result;
}

function cleanValue(value: unknown, depth: number): unknown {
  if (typeof value === "string") return cleanText(value);
  if (typeof value !== "object" || value === null) return value;
  // Values beyond the maximum depth are not written.
  if (depth >= MAX_DEPTH) return "[…]";
  if (Array.isArray(value)) return value.map((item: unknown) => cleanValue(item, depth + 1));
  return value instanceof Error ? cleanText(value.message) : cleanFields(value, depth + 1);
}

function cleanField(key: string, value: unknown, depth: number): unknown {
  // The fields of the line that every request writes.
  if (PLAIN_NAMES.has(key)) return cleanValue(value, depth);
  return isSecretName(key) || (key === "code" && !isErrorCode(value))
    ? "[redacted]"
    : cleanValue(value, depth);
}

/** A text of a line, as `cleanFields` cleans it. */
export function cleanText(written: string): string {
  // Before truncation: a secret must not be cut in half.
  const text = withoutSecrets(
    written.length > MAX_SCANNED ? written.slice(0, MAX_SCANNED) : written,
  );
  const cut = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
  CONTROL.lastIndex = 0;
  if (!CONTROL.test(cut)) return cut;
  return cut.replace(
    CONTROL,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
