import type { Handler, SiteContext } from "#kernel";
import type { JsonOptions } from "#kernel/internal";
import type { ContentView, PageEntry } from "../../content/contract.js";
import type { Fragments } from "../page/fragments.js";
import type { BodySource, JsonBodies } from "../page/json-bodies.js";

/** Content type of every API response. */
export const JSON_TYPE = "application/json; charset=utf-8";

type Request = Parameters<Handler>[0];
type Response = Parameters<Handler>[1];

/** The tree as the visitor of a request sees it. */
export function viewOf(site: SiteContext, req: Request): ContentView {
  return site.use("content").view(req.ctx.state.viewer);
}

/** What caches may do with a response from this view. */
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
