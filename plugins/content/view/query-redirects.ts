/** Redirects of addresses with a query: `/?p=12`. */
import { toRoute } from "./address.js";

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
export interface QueryMatch {
  readonly from: string;
  readonly to: string;
  /** The query of the request without the parameters that matched, raw. */
  readonly rest: string;
}

/** True for an address with a query; `%3F` is a question mark in a path. */
export function hasQuery(from: string): boolean {
  return /\?./s.test(from);
}

/** Finds redirects by path and parameters. A request may have further parameters, in any order. */
export class QueryRedirects {
  /** Path, then the first parameter, to redirects; those with more parameters first. */
  readonly #byPath = new Map<string, Map<string, QueryRedirect[]>>();

  /** From pairs of address and location. */
  constructor(redirects: Iterable<readonly [from: string, to: string]> = []) {
    for (const [from, to] of redirects) this.#add(from, to);
  }

  /** The redirect for a decoded path without slash at the end, and a raw query; null without one. */
  match(path: string, search: string): QueryMatch | null {
    const byFirst = search === "" ? undefined : this.#byPath.get(path);
    if (byFirst === undefined) return null;
    const given = search.split("&", MAX_PARAMETERS + 1);
    if (given.length > MAX_PARAMETERS) return null;
    const names = given.map(decodedPair);
    for (const name of names) {
      const found = byFirst
        .get(name)
        ?.find(({ wanted }) => wanted.every((one) => names.includes(one)));
      if (found !== undefined)
        return { from: found.from, to: found.to, rest: restOf(given, found) };
    }
    return null;
  }

  /** Every redirect: the address as it is configured, its path, and the location. */
  *entries(): Generator<{ from: string; path: string; to: string }> {
    for (const [path, byFirst] of this.#byPath) {
      for (const redirects of byFirst.values()) {
        for (const { from, to } of redirects) yield { from, path, to };
      }
    }
  }

  #add(from: string, to: string): void {
    const mark = from.indexOf("?");
    const path = toRoute(from.slice(0, mark));
    const query = from.slice(mark + 1).replace(/#.*$/s, "");
    const wanted = query
      .split("&")
      .filter((pair) => pair !== "")
      .map(decodedPair);
    const [first] = wanted;
    if (first === undefined) return;
    const byFirst = this.#byPath.get(path) ?? new Map<string, QueryRedirect[]>();
    const same = [...(byFirst.get(first) ?? []), { from, wanted, to }];
    this.#byPath.set(path, byFirst);
    byFirst.set(
      first,
      same.sort((a, b) => b.wanted.length - a.wanted.length),
    );
  }
}

function restOf(given: readonly string[], { wanted }: QueryRedirect): string {
  return given.filter((pair) => !wanted.includes(decodedPair(pair))).join("&");
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
