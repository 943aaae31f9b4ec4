import type { KeyObject } from "node:crypto";
import jwt from "jsonwebtoken";
import type { Claims } from "../tokens/claims.js";

/** What a token must satisfy. */
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
