/** Outgoing requests as other plugins see them: one guarded client for all of them. */

/**
 * `operator`: the URL is in a config file; loopback and private targets are allowed unless
 * `outbound.deny_private` is set. `named`: the host is configured as a dependency of the site (an
 * identity provider) and may be private even then. Neither holds for a host that came through the admin
 * API (see `GuardedHostsService`): only public targets. `strict`: the URL is from elsewhere; only public
 * targets. Link-local and metadata addresses are always rejected.
 */
export type OutboundPolicy = "operator" | "named" | "strict";

/** An outgoing request. */
export interface OutboundRequest {
  /** Default `GET`. */
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
  /** Milliseconds for lookup, connection and response. Default 10 000. */
  timeoutMs?: number;
  /** Maximum bytes of the response body. Default 65 536. */
  maxBytes?: number;
  /** Handling of a longer body: `fail` (default) throws, `discard` truncates. */
  overflow?: "fail" | "discard";
  /** Default `strict`. */
  policy?: OutboundPolicy;
  /** Aborts the request. */
  signal?: AbortSignal;
}
/** A complete response; redirects are returned, not followed. */
export interface OutboundAnswer {
  status: number;
  /** Lower-case names; repeated ones joined by `, `. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}
/**
 * The one client for requests to other hosts.
 *
 * @example
 * const outbound = site.use("outbound");
 * const { status, body } = await outbound.request("https://api.example/rates", { timeoutMs: 2_000 });
 * const rates: unknown = status === 200 ? JSON.parse(body.toString()) : null;
 */
export interface OutboundService {
  /**
   * Sends one request to checked addresses of the host; follows no redirect. Error messages name the host only.
   * @throws ERR_OUTBOUND_URL, ERR_OUTBOUND_ADDRESS, ERR_OUTBOUND_TIMEOUT, ERR_OUTBOUND_NETWORK,
   * ERR_OUTBOUND_TOO_LARGE.
   */
  request(url: string, request?: OutboundRequest): Promise<OutboundAnswer>;
  /** Why the site would not call `url`, without calling it; null if it would. */
  refusal(url: string, policy?: OutboundPolicy): Promise<string | null>;
}

/**
 * Hosts that were named through the admin API, whose users may not be the server's operator. They must
 * be public, whatever the policy of a request. An address is a URL, `git@host:path` or a host.
 *
 * @example
 * const guarded = site.use("guardedHosts");
 * await guarded.guard(["https://hooks.example/x"]);
 * const mustBePublic = await guarded.isGuarded("hooks.example"); // true
 */
export interface GuardedHostsService {
  /** Holds the hosts of addresses from now on, across restarts. */
  guard(addresses: readonly string[]): Promise<void>;
  /** Releases the held hosts that none of these addresses has. */
  keepOnly(addresses: readonly string[]): Promise<void>;
  /** True when the host of the address is guarded. */
  isGuarded(address: string): Promise<boolean>;
  /**
   * Why an address must not be called now: its host is held and not public. For connections that the
   * outbound client does not make.
   */
  refusal(address: string): Promise<string | null>;
  /** Why an address must not be set through the admin API: its host is missing, unknown or not public. */
  refusalToSet(address: string): Promise<string | null>;
}

declare module "#kernel" {
  interface Services {
    outbound: OutboundService;
    guardedHosts: GuardedHostsService;
  }
  interface SiteSettings {
    outbound: { deny_private: boolean };
  }
}
