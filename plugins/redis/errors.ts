import { HttpError } from "#kernel";

/** Error codes of shared state in Redis: what each means, and the fix. */
export const redisErrors = {
  ERR_REDIS_URL: "Jobs in Redis need its address: set SITE_REDIS_URL.",
  ERR_REDIS_LOGIN:
    "Redis rejects the user, the password or the database number of SITE_REDIS_URL: correct them.",
  ERR_REDIS_UNREACHABLE:
    "No Redis responds at the address of SITE_REDIS_URL: start it, or correct host and port.",
  ERR_REDIS_SITE:
    "The database of SITE_REDIS_URL has the jobs of another site: give each site a database number of its own.",
  ERR_REDIS_NEWER:
    "A newer version of Sitewright wrote the jobs in Redis: update this node, or use another database number.",
  ERR_REDIS_DOWN:
    "Redis does not respond, so nothing that needs it works (503): restore it; the site retries every second.",
} as const;

/** The 503 of a request that needs Redis while it is down. */
export function redisDown(cause?: unknown): HttpError {
  return new HttpError(503, "Redis does not respond at the moment", {
    code: "ERR_REDIS_DOWN",
    headers: { "Retry-After": "5" },
    fix: "restore Redis; the site retries every second",
    ...(cause === undefined ? {} : { cause }),
  });
}
