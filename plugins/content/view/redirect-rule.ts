/** A redirect of the configuration: what its key means, when two keys are equal, and what is refused. */
import { toRoute } from "./address.js";

/** A redirect of the configuration. */
export interface RedirectRule {
  /** The key as it is configured. */
  readonly from: string;
  /** The target as a `Location`; with `:splat` where the rest of the address goes. */
  readonly to: string;
  /** `query`: only with the parameters of `from`. `below`: the path and every address below it. */
  readonly kind: "exact" | "query" | "below";
  /** Decoded, without the query or the star. */
  readonly path: string;
}

/** The end of a key that redirects every address below it; `%2A` is a star in a path. */
const BELOW = /\/\*$/;
/** What the rest of the address replaces in a target. */
export const SPLAT = ":splat";

/** A key of `redirects` and its target, which is a `Location`. */
export function toRule(from: string, to: string): RedirectRule {
  if (hasQuery(from)) {
    return { from, to, kind: "query", path: toRoute(from.slice(0, from.indexOf("?"))) };
  }
  if (BELOW.test(from)) {
    return { from, to, kind: "below", path: toRoute(from.replace(BELOW, "")) };
  }
  return { from, to, kind: "exact", path: toRoute(from) };
}

/** One spelling for all keys of `redirects` that are the same address. */
export function redirectKey(from: string): string {
  const { kind, path } = toRule(from, "");
  if (kind === "below") return path === "/" ? "/*" : `${path}/*`;
  const exact = path.replaceAll("*", "%2A");
  return kind === "query" ? `${exact}?${wantedOf(from).sort().join("&")}` : exact;
}

/** Why `redirects` does not take this key; null when it does. */
export function redirectSourceProblem(from: string): string | null {
  const problem = pathProblem(from);
  if (problem !== null) return problem;
  const path = from.replace(/[?].*$/s, "");
  if (!path.replace(BELOW, "").includes("*") && (path === from || !BELOW.test(path))) return null;
  return "a `*` only at the end, as in `/old/*`; a star that is part of the address is `%2A`";
}

/** Why `redirects` does not take this target for a key; null when it does. */
export function redirectTargetProblem(to: string, from: string): string | null {
  const isWeb = /^https?:\/\//i.test(to);
  if (isWeb && !/^https?:\/\/[^/?#\s\\@]+(?:[/?#]|$)/i.test(to))
    return "an http(s) URL with a host";
  const problem = isWeb ? characterProblem(to) : pathProblem(to);
  if (problem !== null) return isWeb ? problem : `${problem}, or an http(s) URL`;
  if (!to.includes(SPLAT)) return null;
  if (!BELOW.test(from)) return "no `:splat`: it needs a key that ends in `/*`";
  return /^https?:\/\/[^/?#]*:splat/i.test(to) ? "`:splat` in the path, not in the host" : null;
}

/** Why a text is no path on this site; null when it is. */
export function pathProblem(path: string): string | null {
  if (!/^\/(?![/\\])/.test(path)) return "a path on this site, such as `/about`";
  return characterProblem(path);
}

function characterProblem(address: string): string | null {
  if (address.includes("\\")) return "an address without a backslash; write `/`, or `%5C`";
  if (/\p{Cc}/u.test(address)) return "an address without line breaks and control characters";
  if (address !== address.trim()) return "an address without spaces around it; write `%20`";
  return null;
}

/** True for an address with a query; `%3F` is a question mark in a path. */
function hasQuery(from: string): boolean {
  return /\?./s.test(from);
}

/** The parameters of a key, decoded. */
export function wantedOf(from: string): string[] {
  const query = from.slice(from.indexOf("?") + 1).replace(/#.*$/s, "");
  return query
    .split("&")
    .filter((pair) => pair !== "")
    .map(decodedPair);
}

/** `a+b=%C3%BC` as `a b=ü`; `p` as `p=`. */
export function decodedPair(pair: string): string {
  const text = pair.includes("=") ? pair : `${pair}=`;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
