/** Public types of the CDN plugin: settings, purge status and service. */

/** Section `cdn` of system.yaml; when enabled, it includes the provider's own keys. */
export interface CdnSection {
  provider: "cloudflare" | "fastly" | "bunny" | "custom";
  enabled: boolean;
  /** Maximum addresses per request. */
  batch_size: number;
  /** Milliseconds. */
  batch_delay_ms: number;
  /** Purge everything at startup, because changes while the site was down are unknown. */
  purge_on_start: boolean;
  zone_id?: string | undefined;
  api_token?: string | undefined;
  service_id?: string | undefined;
  pull_zone_id?: string | undefined;
  api_key?: string | undefined;
  url?: string | undefined;
  token?: string | undefined;
}

/** One provider's API. A failed call throws ERR_CDN_REFUSED or an error of `outbound`. */
export interface CdnProvider {
  /** Maximum addresses per `purge`. */
  readonly most: number;
  /** Header on every response by which the provider finds its copies of an address. */
  readonly label?: { name: string; of(path: string): string };
  /** Purges absolute addresses. */
  purge(urls: readonly string[]): Promise<void>;
  /** Purges the whole site. */
  purgeEverything(): Promise<void>;
  /** Resolves when the credentials are accepted; purges nothing. Absent: nothing can be asked. */
  verify?(): Promise<void>;
}

/** Purge status, shown in the detailed health report. */
export interface CdnStatus {
  provider: string;
  /** Waiting addresses, including those of a running attempt. */
  pending: number;
  /** True while a purge of everything is waiting. */
  everything: boolean;
  /** Addresses purged since the start; emptying the whole network counts in `emptied`. */
  purged: number;
  emptied: number;
  /** Failed attempts since the start. */
  failures: number;
  /** Null when the last attempt succeeded. */
  lastError: string | null;
  /** ISO 8601; null before the first. */
  lastSuccess: string | null;
}

/**
 * Purging by hand.
 *
 * @example
 * const cdn = site.use("cdn", { optional: true }); // absent without a configured CDN
 * cdn?.purge(["/", "/blog"]);
 * await cdn?.settled();
 */
export interface CdnService {
  status(): CdnStatus;
  /** Purges paths of this site (`/blog?x=1`); without paths, everything. */
  purge(paths?: readonly string[]): void;
  /** Resolves when nothing is waiting. @throws the provider's error when an attempt fails */
  settled(): Promise<void>;
}

declare module "#kernel" {
  interface SystemSettings {
    /** Undefined without the section. */
    cdn: CdnSection | undefined;
  }
  interface Services {
    /** Present only while purging is configured and enabled. */
    cdn: CdnService;
  }
}
