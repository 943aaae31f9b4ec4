import { jsonBody } from "#kernel";

const SHAPE = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/;
const STRINGS = /"(?:[^"\\]|\\.)*"(\s*:)?/g;

/** The header of a well-formed token. */
export interface TokenHeader {
  readonly kid: string | null;
}

/**
 * Parses the header of a compact token; null unless it has three parts of canonical base64url,
 * objects without duplicate members, exactly this algorithm and no critical extensions (RFC 7515
 * 4.1.11). Keys and URLs in it (`jwk`, `jku`, `x5u`, `x5c`) are ignored.
 */
export function readTokenHeader(token: string, algorithm: string): TokenHeader | null {
  const [, first = "", second = "", third = ""] = SHAPE.exec(token) ?? [];
  if (![first, second, third].every(isCanonical)) return null;
  const header = parseObject(first);
  if (header === null || parseObject(second) === null) return null;
  const isOurs = header["alg"] === algorithm && !("crit" in header);
  return isOurs ? withKeyId(header) : null;
}

function withKeyId({ kid = null }: Record<string, unknown>): TokenHeader | null {
  return kid === null || typeof kid === "string" ? { kid } : null;
}

function isCanonical(part: string): boolean {
  return Buffer.from(part, "base64url").toString("base64url") === part;
}

function parseObject(part: string): Record<string, unknown> | null {
  const bytes = Buffer.from(part, "base64url");
  try {
    const value = jsonBody(bytes);
    return countNames(bytes.toString()) === countKeys(value) ? value : null;
  } catch {
    // Not JSON, or nested too deeply.
    return null;
  }
}

/** Number of member names in the text; more than the parsed keys means duplicates. */
function countNames(text: string): number {
  return [...text.matchAll(STRINGS)].filter((found) => found[1] !== undefined).length;
}

function countKeys(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce<number>((sum, inner) => sum + countKeys(inner), own);
}
