import { SiteError } from "#kernel";

const FULL = ["ENOSPC", "EDQUOT"];

/**
 * What a store throws, as an answer: its own errors pass, anything else is an outage.
 * @throws ERR_USER_STORE_DOWN, 507 for a full disk, else 503.
 */
export async function throughFront<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof SiteError) throw cause;
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    throw new SiteError("ERR_USER_STORE_DOWN", "the store of accounts does not answer", {
      status: FULL.includes(code) ? 507 : 503,
      headers: { "Retry-After": "5" },
      fix: "make room on the disk, or bring the store back; it is tried again",
      cause,
    });
  }
}
