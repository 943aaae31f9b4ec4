import type { CallApi } from "../api-call.js";
import type { CdnProvider } from "../contract.js";

/** Settings of a custom endpoint. */
export interface CustomOptions {
  url: string;
  token: string;
  /** Base URL of the site, without a trailing slash. */
  base: string;
}

/** An endpoint that accepts `{ "urls": [...] }`; `{base}/*` means everything. */
export function custom(call: CallApi, { url, token, base }: CustomOptions): CdnProvider {
  const headers = { Authorization: `Bearer ${token}` };
  const purge = async (urls: readonly string[]): Promise<void> => {
    await call({ url, headers, body: { urls } });
  };
  return { most: 1_000, purge, purgeEverything: () => purge([`${base}/*`]) };
}
