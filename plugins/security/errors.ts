/** Error codes of security: meaning and fix. */
export const securityErrors = {
  ERR_RATE_LIMIT_URL:
    "`rateLimit.store: redis` needs the address of Redis: set SITE_REDIS_URL to `redis://host:port`.",
} as const;
