/** What others may know of the content delivery network: its settings, how purging does, and how to ask for it. */

/** Section `cdn` of system.yaml; when enabled, the provider's own keys are there. */
export interface CdnSection {
  provider: "cloudflare" | "fastly" | "bunny" | "custom";
  enabled: boolean;
  /** Addresses in one request. */
  batch_size: number;
  /** Milliseconds. */
  batch_delay_ms: number;
  /** Whether a start empties the network: what changed meanwhile is not known. */
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
  /** Most addresses of one `purge`. */
  readonly most: number;
  /** Header that every answer carries so that the provider finds its copies by address. */
  readonly label?: { name: string; of(path: string): string };
  /** Forgets the copies of absolute addresses. */
  purge(urls: readonly string[]): Promise<void>;
  /** Forgets every copy of the site. */
  purgeEverything(): Promise<void>;
}

/** How purging does: in `/health?detailed=true`. */
export interface CdnStatus {
  provider: string;
  /** Addresses that wait, an attempt under way included. */
  pending: number;
  /** True while everything waits to be purged. */
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

/** Purging by hand. */
export interface CdnService {
  status(): CdnStatus;
  /** Purges paths of this site (`/blog?x=1`); without any, everything. */
  purge(paths?: readonly string[]): void;
  /** Resolves when nothing waits any more; throws what the provider said when an attempt fails. */
  settled(): Promise<void>;
}

declare module "#kernel" {
  interface SystemSettings {
    /** Undefined: there is none. */
    cdn: CdnSection | undefined;
  }
  interface Services {
    /** Only there while purging is configured and switched on. */
    cdn: CdnService;
  }
}
