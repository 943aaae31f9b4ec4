import { LRUCache } from "lru-cache";
import type { DependsOn, HookName, Hooks, RequestContext } from "#kernel";

/** Paths whose parameters are known at a time. */
const MOST_PATHS = 5_000;
/**
 * Most parameters of a held address. Parsers stop at a hundred: beyond it a parameter may be in the
 * address and not in the answer.
 */
const MOST_PARAMETERS = 32;
/** Longest query string of a held answer: endless ones must not push out the pages. */
const LONGEST_QUERY = 256;

/** Whoever listens to these may read any parameter. */
const OPEN_HOOKS: readonly HookName[] = ["onApiRequest", "onApiResponse"];
const everything: DependsOn = () => true;

/** What the key of a request follows from. */
interface Asked {
  readonly url: string;
  readonly ctx: Pick<RequestContext, "search" | "dependsOn">;
}
/** What is known of the answers of a path. */
interface PathRule {
  readonly dependsOn: DependsOn;
  /** The whole query may be shown: an answer is held for addresses of known parameters only. */
  readonly showsQuery: boolean;
}

/**
 * The keys of held answers: the address with the query parameters that its route declares. Which
 * those are is known from the first answer of a path on; until then the key is the whole address,
 * under which nothing is held.
 */
export class HeldKeys {
  readonly #rules = new LRUCache<string, PathRule>({ max: MOST_PATHS });
  readonly #hooks: Pick<Hooks, "has">;

  constructor(hooks: Pick<Hooks, "has">) {
    this.#hooks = hooks;
  }

  /** The key of a request; null when no answer to it is held. */
  keyOf({ url, ctx }: Asked): string | null {
    if (ctx.search === "") return url;
    if (ctx.search.length > LONGEST_QUERY) return null;
    const path = url.slice(0, url.indexOf("?"));
    const rule = this.#rules.get(path);
    return rule === undefined ? url : keyBy(rule, path, ctx.search);
  }

  /** The key of a request that has been answered, and with it the rule of its path. */
  learn(req: Asked, { isPage }: { isPage: boolean }): string | null {
    const { search, dependsOn } = req.ctx;
    if (search === "") return req.url;
    if (dependsOn === undefined) return isPage ? null : this.keyOf(req);
    const isOpen = OPEN_HOOKS.some((name) => this.#hooks.has(name));
    const rule = { dependsOn: isOpen ? everything : dependsOn, showsQuery: isPage };
    this.#rules.set(req.url.slice(0, req.url.indexOf("?")), rule);
    return this.keyOf(req);
  }
}

function keyBy({ dependsOn, showsQuery }: PathRule, path: string, search: string): string | null {
  const given = search.split("&");
  if (given.length > MOST_PARAMETERS) return null;
  const kept = given.filter((pair) => isKept(pair, dependsOn));
  if (showsQuery && kept.length < given.length) return null;
  return kept.length === 0 ? path : `${path}?${kept.join("&")}`;
}

/** `filter%5Bkind%5D=x` is parameter `filter`; what cannot be decoded stays. */
function isKept(pair: string, dependsOn: DependsOn): boolean {
  const raw = /^[^=]*/.exec(pair)?.[0] ?? "";
  try {
    const name = raw.includes("%") || raw.includes("+") ? decodeName(raw) : raw;
    return dependsOn(/^[^[]*/.exec(name)?.[0] ?? "");
  } catch {
    return true;
  }
}

function decodeName(raw: string): string {
  return decodeURIComponent(raw.replaceAll("+", " "));
}
