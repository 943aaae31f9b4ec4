import PQueue from "p-queue";
import type { CallApi } from "../api-call.js";
import type { CdnProvider } from "../contract.js";

/** Settings of Bunny. */
export interface BunnyOptions {
  pullZoneId: string;
  apiKey: string;
  /** Default: the public API. */
  api?: string | undefined;
}

/** Parallel requests: its API takes one address per request. */
const AT_ONCE = 4;

/** Bunny: `POST /purge?url=` for each address, `POST /pullzone/{id}/purgeCache` for everything. */
export function bunny(call: CallApi, options: BunnyOptions): CdnProvider {
  const { pullZoneId, apiKey, api = "https://api.bunny.net" } = options;
  const headers = { AccessKey: apiKey };
  const zone = `${api}/pullzone/${encodeURIComponent(pullZoneId)}`;
  return {
    most: 1_000,
    async purge(urls) {
      const queue = new PQueue({ concurrency: AT_ONCE });
      // Without exactPath, an address with a trailing slash is a prefix.
      const query = (url: string): string =>
        new URLSearchParams({ url, async: "true", exactPath: "true" }).toString();
      await queue.addAll(
        urls.map((url) => () => call({ url: `${api}/purge?${query(url)}`, headers })),
      );
    },
    async purgeEverything() {
      await call({ url: `${zone}/purgeCache`, headers });
    },
    async verify() {
      await call({ url: zone, method: "GET", headers });
    },
  };
}
