import type { Caches, CacheSpace, Handler, JsonOptions, SiteContext } from "#kernel";
import { unpooled } from "#lib/cache";
import type { ContentView, PageEntry } from "../../content/contract.js";

/** Content type of every API response. */
export const JSON_TYPE = "application/json; charset=utf-8";

type Request = Parameters<Handler>[0];
type Response = Parameters<Handler>[1];

/** The tree as the visitor of a request sees it. */
export function openView(site: SiteContext, req: Request): ContentView {
  return site.use("content").view(req.ctx.state.viewer);
}

/** Cache options of a response from this view. */
export function trace(view: ContentView): JsonOptions {
  return { cache: { tags: view.reads, until: view.expiresAt, private: view.personal } };
}

/** A request and what its visitor sees. */
export interface Exchange {
  req: Request;
  res: Response;
  view: ContentView;
}
interface ListAnswer {
  fragments: Fragments<PageEntry>;
  found: readonly PageEntry[];
  meta: Record<string, unknown>;
}

/** Sends a list of fragments; as objects when a plugin hooks into API responses. */
export function sendList(
  site: SiteContext,
  { req, res, view }: Exchange,
  list: ListAnswer,
): unknown {
  const { fragments, found, meta } = list;
  const body = `{"items":${fragments.list(found)},"meta":${JSON.stringify(meta)}}`;
  if (site.hooks.has("onApiResponse")) {
    return site.http.json(req, res, JSON.parse(body), trace(view));
  }
  site.http.send(req, res, { type: JSON_TYPE, body, ...trace(view) });
  return undefined;
}

interface CachedJson<T extends object> {
  bodies: JsonBodies<T>;
  from: BodySource<T>;
  toBody: (source: T) => unknown;
}

/** Sends JSON encoded once per source; as objects when a plugin hooks into API responses. */
export function sendCachedJson<T extends object>(
  site: SiteContext,
  { req, res, view }: Exchange,
  { bodies, from, toBody }: CachedJson<T>,
): unknown {
  if (site.hooks.has("onApiResponse"))
    return site.http.json(req, res, toBody(from.source), trace(view));
  const body = bodies.of(from, toBody);
  site.http.send(req, res, { type: JSON_TYPE, body, ...trace(view) });
  return undefined;
}

/** Maximum size of all bodies of one kind, in bytes. */
const MAX_BYTES = 16 * 1_024 * 1_024;

/** The immutable objects of a body, which is valid as long as both are identical. */
interface BodySource<T extends object> {
  /** The cache key of the body. */
  readonly key: string;
  readonly source: T;
  readonly companion?: object;
  /** The tags of their dependencies. */
  readonly tags: ReadonlySet<string>;
}
interface JsonBody {
  readonly bytes: Buffer;
  readonly source: object;
  readonly companion: object | undefined;
}

/** JSON bodies as bytes, encoded once per source. */
export class JsonBodies<T extends object> {
  readonly #bodies: CacheSpace<JsonBody>;

  constructor(caches: Pick<Caches, "open">, space: string) {
    this.#bodies = caches.open<JsonBody>(space, {
      maxBytes: MAX_BYTES,
      sizeOf: ({ bytes }) => bytes.length,
    });
  }

  find({ key, source, companion }: Omit<BodySource<T>, "tags">): Buffer | undefined {
    const cached = this.#bodies.peek(key);
    const isSame = cached?.source === source && cached.companion === companion;
    return isSame ? cached.bytes : undefined;
  }

  /** The cached body of a source; calls `toBody` on first use. */
  of(from: BodySource<T>, toBody: (source: T) => unknown): Buffer {
    const cached = this.find(from);
    if (cached !== undefined) return cached;
    const { key, source, companion, tags } = from;
    const bytes = unpooled(Buffer.from(JSON.stringify(toBody(source))));
    this.#bodies.set(key, { bytes, source, companion }, { tags });
    return bytes;
  }
}

/** JSON of items, encoded once per item object, because entries are immutable. */
export class Fragments<T extends object> {
  // Not in site.cache: a fragment lives as long as its entry.
  readonly #fragments = new WeakMap<T, string>();
  readonly #toItem: (source: T) => object;

  constructor(toItem: (source: T) => object) {
    this.#toItem = toItem;
  }

  /** The JSON array of `sources`. */
  list(sources: readonly T[]): string {
    let json = "[";
    for (const [at, source] of sources.entries()) json += (at === 0 ? "" : ",") + this.#of(source);
    return `${json}]`;
  }

  /** The item of a source, as an object. */
  item(source: T): object {
    return this.#toItem(source);
  }

  #of(source: T): string {
    const fragment = this.#fragments.get(source);
    if (fragment !== undefined) return fragment;
    const json = JSON.stringify(this.#toItem(source));
    this.#fragments.set(source, json);
    return json;
  }
}
