/** What others may know of requests that leave the site: one guarded client for all of them. */

/**
 * `operator`: the address stands in a config file; loopback and private targets are allowed unless
 * `outbound.deny_private` is set. `named`: the host itself is configured as one that the site depends
 * on (an identity provider); it may be private in any case. `strict`: it came from elsewhere; only
 * public targets. Link-local and metadata addresses are refused in all.
 */
export type OutboundPolicy = "operator" | "named" | "strict";

/** A request that leaves the site. */
export interface OutboundRequest {
  /** Default `GET`. */
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
  /** Milliseconds for all of it: name, connection, answer. Default 10 000. */
  timeoutMs?: number;
  /** Bytes of the answer's body that are kept. Default 65 536. */
  maxBytes?: number;
  /** What becomes of a longer body: `fail` (default) throws, `discard` keeps its beginning. */
  overflow?: "fail" | "discard";
  /** Default `strict`. */
  policy?: OutboundPolicy;
  /** Ends the request. */
  signal?: AbortSignal;
}
/** A complete answer; redirects are answers like any other. */
export interface OutboundAnswer {
  status: number;
  /** Lower-case names; repeated ones joined by `, `. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}
/** The one client for requests to other hosts. */
export interface OutboundService {
  /**
   * Sends one request; never follows a redirect. Every address of the host is checked, and the
   * connection goes to a checked one. Throws ERR_OUTBOUND_URL, ERR_OUTBOUND_ADDRESS,
   * ERR_OUTBOUND_TIMEOUT, ERR_OUTBOUND_NETWORK, ERR_OUTBOUND_TOO_LARGE; messages hold no address
   * beyond the host, and no header.
   */
  request(url: string, request?: OutboundRequest): Promise<OutboundAnswer>;
  /** Why the site would not call `url`, without calling it; null when it would. */
  refusal(url: string, policy?: OutboundPolicy): Promise<string | null>;
}

declare module "#kernel" {
  interface Services {
    outbound: OutboundService;
  }
  interface SiteSettings {
    outbound: { deny_private: boolean };
  }
}
