import { createHash } from "node:crypto";
import { objectOf, type CallApi } from "../api-call.js";
import type { CdnProvider } from "../contract.js";

/** Settings of Fastly. */
export interface FastlyOptions {
  serviceId: string;
  apiKey: string;
  /** Default: the public API. */
  api?: string | undefined;
}

/**
 * Fastly purges batches by surrogate key, so every response has a key for its address.
 */
export function fastly(call: CallApi, options: FastlyOptions): CdnProvider {
  const { serviceId, apiKey, api = "https://api.fastly.com" } = options;
  const service = `${api}/service/${encodeURIComponent(serviceId)}`;
  const headers = { "Fastly-Key": apiKey };
  return {
    most: 256,
    label: { name: "Surrogate-Key", of: surrogateKey },
    async purge(urls) {
      const keys = urls.map((url) => surrogateKey(pathOf(url)));
      const answer = await call({
        url: `${service}/purge`,
        headers,
        body: { surrogate_keys: keys },
      });
      objectOf(answer, "fastly");
    },
    async purgeEverything() {
      objectOf(await call({ url: `${service}/purge_all`, headers }), "fastly");
    },
    async verify() {
      // A token that only purges may not read the service.
      objectOf(await call({ url: `${api}/tokens/self`, method: "GET", headers }), "fastly");
    },
  };
}

/** The surrogate key of a path with its query. */
export function surrogateKey(path: string): string {
  return createHash("sha1").update(path).digest("base64url").slice(0, 16);
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
