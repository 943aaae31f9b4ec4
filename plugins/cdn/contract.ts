/** What others may know of the content delivery network: its settings. */

/** Section `cdn` of system.yaml; when enabled, the provider's own keys are there. */
export interface CdnSection {
  provider: "cloudflare" | "fastly" | "bunny" | "custom";
  enabled: boolean;
  /** Addresses in one request. */
  batch_size: number;
  /** Milliseconds. */
  batch_delay_ms: number;
  zone_id?: string | undefined;
  api_token?: string | undefined;
  service_id?: string | undefined;
  pull_zone_id?: string | undefined;
  api_key?: string | undefined;
  url?: string | undefined;
  token?: string | undefined;
}

declare module "#kernel" {
  interface SystemSettings {
    /** Undefined: there is none. */
    cdn: CdnSection | undefined;
  }
}
