/** Redirects of site.yaml: which keys and targets are valid, and which redirect a request matches. */
import { encodePath, toLocation, toRoute } from "./address.js";

/** Parameters of a request that are looked up: more of them are no address of a page. */
const MAX_PARAMETERS = 32;

interface QueryRedirect {
  /** The address as it is configured. */
  readonly from: string;
  /** Parameters that a request must have: `name=value`, decoded. */
  readonly wanted: readonly string[];
  readonly to: string;
}
/** A redirect that a request matches. */
export interface RedirectMatch {
  /** The key as it is configured. */
  readonly from: string;
  readonly to: string;
  /** The query of the request without the parameters that matched, raw; absent: the whole query. */
  readonly search?: string;
}

/** Every redirect, by decoded addresses. A redirect of one address comes before one of all below it. */
export class RedirectTable {
  readonly #exact = new Map<string, RedirectRule>();
  readonly #query = new QueryRedirects();
  /** By the folder; `/` for `/*`. */
  readonly #below = new Map<string, RedirectRule>();
  readonly #byKey = new Map<string, RedirectRule>();
  /** Rules that are never used: a later key is the same address in another spelling. */
  readonly unused: RedirectRule[] = [];

  /** Targets that are no address are left out. */
  constructor(redirects: Readonly<Record<string, string>> = {}) {
    for (const [from, target] of Object.entries(redirects)) {
      const to = toLocation(withoutSlash(target));
      if (to !== null) this.#add(toRule(from, to));
    }
  }

  /** The rules in the order of the configuration, without those that are never used. */
  get rules(): Iterable<RedirectRule> {
    return this.#byKey.values();
  }

  get size(): number {
    return this.#byKey.size;
  }

  /** The redirect for a decoded path without slash at the end, and a raw query; null without one. */
  match(path: string, search = ""): RedirectMatch | null {
    const byQuery = this.#query.match(path, search);
    if (byQuery !== null) return byQuery;
    const exact = this.#exact.get(path);
    if (exact !== undefined) return { from: exact.from, to: exact.to };
    return this.#below.size === 0 ? null : this.#matchBelow(path);
  }

  /** The redirect for an address as a browser requests it: percent-encoded or not, with query. */
  matchAddress(address: string): RedirectMatch | null {
    const bare = address.replace(/#.*$/s, "");
    const mark = bare.indexOf("?");
    const path = mark === -1 ? bare : bare.slice(0, mark);
    return this.match(toRoute(path), mark === -1 ? "" : bare.slice(mark + 1));
  }

  /** The folder that is nearest to the path wins. */
  #matchBelow(path: string): RedirectMatch | null {
    let folder = path;
    while (folder !== "") {
      const rule = this.#below.get(folder);
      if (rule !== undefined) return matchBelow(rule, path.slice(folder.length + 1));
      folder = folder.slice(0, folder.lastIndexOf("/"));
    }
    const all = this.#below.get("/");
    return all === undefined ? null : matchBelow(all, path.slice(1));
  }

  #add(rule: RedirectRule): void {
    const key = redirectKey(rule.from);
    const replaced = this.#byKey.get(key);
    if (replaced !== undefined) this.unused.push(replaced);
    this.#byKey.set(key, rule);
    if (rule.kind === "below") this.#below.set(rule.path, rule);
    else if (rule.kind === "exact") this.#exact.set(rule.path, rule);
    else this.#query.add(rule.from, rule.to);
  }
}

function matchBelow({ from, to }: RedirectRule, rest: string): RedirectMatch {
  const path = to.replaceAll(SPLAT, () => encodePath(rest));
  // A slash that is left at the end would need a second redirect.
  return { from, to: rest === "" && to.startsWith("/") ? withoutSlash(path) : path };
}

/** Removes the trailing slash: with it, a redirect would need a second one. */
function withoutSlash(target: string): string {
  return /^\/[^?#]+\/$/.test(target) ? target.slice(0, -1) : target;
}

/** Finds redirects by path and parameters. A request may have further parameters, in any order. */
class QueryRedirects {
  /** Path, then the first parameter, to redirects; those with more parameters first. */
  readonly #byPath = new Map<string, Map<string, QueryRedirect[]>>();

  /** The redirect for a decoded path without slash at the end, and a raw query; null without one. */
  match(path: string, search: string): RedirectMatch | null {
    const byFirst = search === "" ? undefined : this.#byPath.get(path);
    if (byFirst === undefined) return null;
    const pairs = search.split("&", MAX_PARAMETERS + 1);
    if (pairs.length > MAX_PARAMETERS) return null;
    const names = pairs.map(decodedPair);
    for (const name of names) {
      const redirect = byFirst
        .get(name)
        ?.find(({ wanted }) => wanted.every((one) => names.includes(one)));
      if (redirect !== undefined)
        return {
          from: redirect.from,
          to: redirect.to,
          search: pairs.filter((pair) => !redirect.wanted.includes(decodedPair(pair))).join("&"),
        };
    }
    return null;
  }

  add(from: string, to: string): void {
    const path = toRoute(from.slice(0, from.indexOf("?")));
    const required = requiredPairs(from);
    const [first] = required;
    if (first === undefined) return;
    const byFirst = this.#byPath.get(path) ?? new Map<string, QueryRedirect[]>();
    // The later one of two spellings of one address counts, as for keys of a map.
    const same = [{ from, wanted: required, to }, ...(byFirst.get(first) ?? [])];
    this.#byPath.set(path, byFirst);
    byFirst.set(
      first,
      same.sort((a, b) => b.wanted.length - a.wanted.length),
    );
  }
}

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
/** Placeholder in a target, which the rest of the address replaces. */
const SPLAT = ":splat";

/** A key of `redirects` and its target, which is a `Location`. */
function toRule(from: string, to: string): RedirectRule {
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
  return kind === "query" ? `${exact}?${requiredPairs(from).sort().join("&")}` : exact;
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
function requiredPairs(from: string): string[] {
  const query = from.slice(from.indexOf("?") + 1).replace(/#.*$/s, "");
  return query
    .split("&")
    .filter((pair) => pair !== "")
    .map(decodedPair);
}

/** `a+b=%C3%BC` as `a b=ü`; `p` as `p=`. */
function decodedPair(pair: string): string {
  const text = pair.includes("=") ? pair : `${pair}=`;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
