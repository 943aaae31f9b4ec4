import { SiteError } from "#kernel";

/** Error codes of purging: what each means, and the fix. */
export const cdnErrors = {
  ERR_CDN_REFUSED:
    "the content delivery network did not accept a purge; check its ids and its token, and what its own status page says",
  ERR_CDN_OFF: "no content delivery network is configured; add `cdn` to system.yaml",
} as const;

/** A rejected purge; `retryAfterMs` from the provider's `Retry-After`. */
export class CdnRefusal extends SiteError {
  readonly retryAfterMs: number | null;

  constructor(message: string, retryAfterMs: number | null = null) {
    super("ERR_CDN_REFUSED", message);
    this.retryAfterMs = retryAfterMs;
  }
}
