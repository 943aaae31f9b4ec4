import { objectOf, type ApiCall, type CallApi } from "../api-call.js";
import type { CdnProvider } from "../contract.js";
import { CdnRefusal } from "../errors.js";

/** Settings of Cloudflare. */
export interface CloudflareOptions {
  zoneId: string;
  apiToken: string;
  /** Default: the public API. */
  api?: string | undefined;
}

/** Cloudflare: `POST /zones/{zone}/purge_cache` with `files` or `purge_everything`. */
export function cloudflare(call: CallApi, options: CloudflareOptions): CdnProvider {
  const { zoneId, apiToken, api = "https://api.cloudflare.com/client/v4" } = options;
  const zone = `${api}/zones/${encodeURIComponent(zoneId)}`;
  const headers = { Authorization: `Bearer ${apiToken}` };
  const send = async (request: Omit<ApiCall, "headers">): Promise<void> => {
    const { success, errors } = objectOf(await call({ ...request, headers }), "cloudflare");
    // A failure can have status 200.
    if (success !== true) throw new CdnRefusal(`cloudflare refused: ${codesOf(errors)}`);
  };
  const purge = (body: object): Promise<void> => send({ url: `${zone}/purge_cache`, body });
  return {
    // Some plans accept fewer: use `batch_size` there.
    most: 500,
    purge: (urls) => purge({ files: urls }),
    purgeEverything: () => purge({ purge_everything: true }),
    async verify() {
      // A token of a person may lack the right to read the zone, one of an account cannot verify itself there.
      const token = send({ url: `${api}/user/tokens/verify`, method: "GET" });
      await token.catch(() => send({ url: zone, method: "GET" }));
    },
  };
}

/** Only the error codes, because the rest is the provider's text. */
function codesOf(errors: unknown): string {
  const list: unknown[] = Array.isArray(errors) ? errors : [];
  const codes = list.flatMap((error) =>
    typeof error === "object" && error !== null && "code" in error && Number.isInteger(error.code)
      ? [`code ${String(error.code)}`]
      : [],
  );
  return codes.slice(0, 5).join(", ") || "without a code";
}
