import type { KeyObject } from "node:crypto";
import jwt from "jsonwebtoken";
import type { Claims } from "../claims.js";

/** What a token is held to. */
export interface VerifyOptions {
  readonly key: KeyObject;
  readonly algorithm: "HS256" | "RS256";
  readonly issuer?: string | undefined;
  readonly audience?: string | readonly string[] | undefined;
  readonly requireExp: boolean;
  /** Unix ms. */
  readonly now: number;
}

/** Clocks may differ by this much, in seconds (decisions: Visitors). */
export const LEEWAY_SECONDS = 60;
const TIMES = ["exp", "nbf", "iat"] as const;

/** The claims of a token that is signed with the key and true now; null for any other. */
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
    // Forged, old or for somebody else: nobody, and nothing for the log of a public site.
    return null;
  }
}

function audienceOption(audience: VerifyOptions["audience"]) {
  const [first, ...others] = audience === undefined ? [] : [audience].flat();
  if (first === undefined) return {};
  const list: [string, ...string[]] = [first, ...others];
  return { audience: list };
}

/** The library does not check `iat`. A later one would outlive the report that its user is deleted. */
function isFromFuture({ iat }: Claims, now: number): boolean {
  return typeof iat === "number" && iat > Math.floor(now / 1000) + LEEWAY_SECONDS;
}

function hasTrueTimes(claims: Claims): boolean {
  return TIMES.every((name) => claims[name] === undefined || Number.isFinite(claims[name]));
}
