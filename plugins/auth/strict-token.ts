import { jsonBody } from "#kernel";

const SHAPE = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/;
const STRINGS = /"(?:[^"\\]|\\.)*"(\s*:)?/g;

/** The header of a token whose form is beyond doubt. */
export interface TokenHeader {
  readonly kid: string | null;
}

/**
 * The header of a compact token; null unless it has three parts of canonical base64url, objects
 * without duplicate members, exactly this algorithm and no critical extensions (RFC 7515 4.1.11).
 * Keys and addresses in it (`jwk`, `jku`, `x5u`, `x5c`) are not looked at.
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
    // No JSON, or nested too deeply: no token of ours.
    return null;
  }
}

/** Names of members as they are written: more than keys means that some stand twice. */
function countNames(text: string): number {
  return [...text.matchAll(STRINGS)].filter((found) => found[1] !== undefined).length;
}

function countKeys(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce<number>((sum, inner) => sum + countKeys(inner), own);
}
