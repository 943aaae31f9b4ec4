import { SiteError } from "#kernel";

/** The 503 for requests that need a session. */
export function storeDown(cause?: unknown): SiteError {
  return new SiteError("ERR_SESSION_STORE_DOWN", "the session store does not respond", {
    status: 503,
    headers: { "Retry-After": "5" },
    fix: "restore the session store; the site retries every second",
    ...(cause === undefined ? {} : { cause }),
  });
}
