import type { KeyObject } from "node:crypto";
import jwt from "jsonwebtoken";
import { jsonBody } from "#kernel";
import type { Claims } from "../tokens/claims.js";

/** The requirements of a valid token. */
export interface VerifyOptions {
  readonly key: KeyObject;
  readonly algorithm: "HS256" | "RS256";
  readonly issuer?: string | undefined;
  readonly audience?: string | readonly string[] | undefined;
  readonly requireExp: boolean;
  /** Unix ms. */
  readonly now: number;
}

/** Tolerated clock skew, in seconds. */
export const LEEWAY_SECONDS = 60;
const TIMES = ["exp", "nbf", "iat"] as const;

/** The claims of a token that has a valid signature and is currently valid; else null. */
export function verifyToken(token: string, options: VerifyOptions): Claims | null {
  const { key, algorithm, issuer, audience, requireExp, now } = options;
  try {
    const claims = jwt.verify(token, key, {
      algorithms: [algorithm],
      clockTolerance: LEEWAY_SECONDS,
      clockTimestamp: Math.floor(now / 1000),
      ...(issuer === undefined ? {} : { issuer }),
      ...audienceOption(audience),
    });
    if (typeof claims === "string" || !hasTrueTimes(claims) || isFromFuture(claims, now))
      return null;
    return requireExp && claims.exp === undefined ? null : claims;
  } catch {
    // Forged, expired or for another audience: anonymous, and not worth a log entry on a public
    // site.
    return null;
  }
}

function audienceOption(audience: VerifyOptions["audience"]) {
  const [first, ...others] = audience === undefined ? [] : [audience].flat();
  if (first === undefined) return {};
  const list: [string, ...string[]] = [first, ...others];
  return { audience: list };
}

/** The library does not check `iat`. A token from the future would outlive a deletion report. */
function isFromFuture({ iat }: Claims, now: number): boolean {
  return typeof iat === "number" && iat > Math.floor(now / 1000) + LEEWAY_SECONDS;
}

function hasTrueTimes(claims: Claims): boolean {
  return TIMES.every((name) => claims[name] === undefined || Number.isFinite(claims[name]));
}

const SHAPE = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/;
const STRINGS = /"(?:[^"\\]|\\.)*"(\s*:)?/g;

/** The header of a well-formed token. */
interface TokenHeader {
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
  return [...text.matchAll(STRINGS)].filter((match) => match[1] !== undefined).length;
}

function countKeys(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const names = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce<number>((sum, inner) => sum + countKeys(inner), names);
}
