import type { IncomingMessage } from "node:http";
import type { Caches, CacheSpace, DependsOn, HookName, Hooks, RequestContext } from "#kernel";

/** Bytes of all paths with known parameters: some 5,000 of them. */
const MAX_BYTES = 1_024 * 1_024;
/**
 * Maximum parameters of a cached address. Parsers stop at a hundred: a further parameter could be
 * in the address but not in the response.
 */
const MAX_PARAMETERS = 32;
/** Maximum query string of a cached response: long ones must not evict pages. */
const MAX_QUERY_LENGTH = 256;

/** Listeners of these hooks may read any parameter. */
const OPEN_HOOKS: readonly HookName[] = ["onApiRequest", "onApiResponse"];
const everything: DependsOn = () => true;

/** True for the methods whose responses are cached. */
export function isRead({ method }: Pick<IncomingMessage, "method">): boolean {
  return method === "GET" || method === "HEAD";
}

/** Inputs of a request's key. */
interface KeyedRequest {
  readonly url: string;
  readonly ctx: Pick<RequestContext, "search" | "dependsOn" | "state">;
}
/** Properties of the response that shows how a path depends on the query. */
interface LearnOptions {
  /** True for HTML, which may show the whole query. */
  readonly isPage: boolean;
}
/** The dependence of a path's responses on the query. */
interface PathRule {
  readonly dependsOn: DependsOn;
  /** The response may show the whole query: only addresses without other parameters are cached. */
  readonly showsQuery: boolean;
}

/**
 * The keys of cached responses: the address with the query parameters that its route declares. The
 * first response of a path reveals them; until then the key is the whole address.
 */
export class ResponseKeys {
  /** By path and `#`, which no address contains: an address is explained by its responses only. */
  readonly #rules: CacheSpace<PathRule>;
  readonly #hooks: Pick<Hooks, "has">;

  constructor(caches: Pick<Caches, "open">, hooks: Pick<Hooks, "has">) {
    this.#rules = caches.open<PathRule>("response-keys", {
      maxBytes: MAX_BYTES,
      untagged: true,
      sizeOf: () => 0,
    });
    this.#hooks = hooks;
  }

  /** The key of a request; null when its response must not be cached. */
  toKey(req: KeyedRequest): string | null {
    const key = this.#addressOf(req);
    const { variant } = req.ctx.state;
    // No address contains `#`.
    return key === null || variant === undefined ? key : `${key}#${variant}`;
  }

  #addressOf({ url, ctx }: KeyedRequest): string | null {
    if (ctx.search === "") return url;
    if (ctx.search.length > MAX_QUERY_LENGTH) return null;
    const path = url.slice(0, url.indexOf("?"));
    const rule = this.#rules.peek(`${path}#`);
    return rule === undefined ? url : keyBy(rule, path, ctx.search);
  }

  /** The key of a request after its response; learns the rule of its path. */
  learn(req: KeyedRequest, { isPage }: LearnOptions): string | null {
    const { search, dependsOn } = req.ctx;
    if (search === "") return this.toKey(req);
    if (dependsOn === undefined) return isPage ? null : this.toKey(req);
    const isOpen = OPEN_HOOKS.some((name) => this.#hooks.has(name));
    const rule = { dependsOn: isOpen ? everything : dependsOn, showsQuery: isPage };
    this.#rules.set(`${req.url.slice(0, req.url.indexOf("?"))}#`, rule);
    return this.toKey(req);
  }
}

function keyBy({ dependsOn, showsQuery }: PathRule, path: string, search: string): string | null {
  const pairs = search.split("&");
  if (pairs.length > MAX_PARAMETERS) return null;
  const relevant = pairs.filter((pair) => isRelevant(pair, dependsOn));
  if (showsQuery && relevant.length < pairs.length) return null;
  return relevant.length === 0 ? path : `${path}?${relevant.join("&")}`;
}

/** `filter%5Bkind%5D=x` is parameter `filter`; true for a name that cannot be decoded. */
function isRelevant(pair: string, dependsOn: DependsOn): boolean {
  const raw = /^[^=]*/.exec(pair)?.[0] ?? "";
  try {
    const name =
      raw.includes("%") || raw.includes("+") ? decodeURIComponent(raw.replaceAll("+", " ")) : raw;
    return dependsOn(/^[^[]*/.exec(name)?.[0] ?? "");
  } catch {
    return true;
  }
}
