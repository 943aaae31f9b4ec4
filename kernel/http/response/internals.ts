import type {
  Answer,
  CspOptions,
  DependsOn,
  JsonOptions,
  RequestContext,
} from "../../contracts.js";

/** Fields of a response for the kernel and first-party plugins. */
export interface InternalAnswer extends Answer {
  /** Its headers are complete: it does not pass through the filters, and is prepared once. */
  skipsFilters?: boolean;
  /** Called each time the cached response is sent. */
  onCacheHit?: () => void;
}
/** `JsonOptions` with the internal fields. */
export type InternalJsonOptions = JsonOptions & Pick<InternalAnswer, "onCacheHit">;

/** A declared route, or the path of a router, with its plugin. */
export interface HandledBy {
  readonly plugin: string;
  readonly route: string;
}

/** Fields of `req.ctx` for the kernel and first-party plugins. */
export interface InternalContext extends RequestContext {
  /** The target as the client and the network know it, below the path of the site; absent: `req.url`. */
  readonly target?: string;
  /** Query string without `?`; see `dropParameters`. */
  search: string;
  /** Headers sent with every response unless the response sets them itself. */
  responseHeaders?: Readonly<Record<string, string>>;
  /** Query string that a redirect to an address of this site passes on; absent or empty: none. */
  passesOn?: string;
  /** The declared route or mounted router that has the request, and its plugin; absent: neither. */
  handledBy?: HandledBy | undefined;
  /** Sources that the route adds to the Content-Security-Policy; absent: none. */
  csp?: CspOptions;
  /** True: the route has a permission, so that its responses are for their sender alone. */
  isProtected?: boolean;
  /** Query parameters that the response depends on; absent until set. */
  dependsOn?: DependsOn | undefined;
}
