import { SiteError } from "#kernel";

const FULL = ["ENOSPC", "EDQUOT"];

/**
 * Passes a store's own errors on and turns all others into an outage.
 * @throws ERR_USER_STORE_DOWN: 507 for a full disk, else 503.
 */
export async function throughFront<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof SiteError) throw cause;
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    throw new SiteError("ERR_USER_STORE_DOWN", "the user store does not respond", {
      status: FULL.includes(code) ? 507 : 503,
      headers: { "Retry-After": "5" },
      fix: "free disk space, or restore the store; the site retries by itself",
      cause,
    });
  }
}
