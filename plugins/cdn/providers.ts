import { createHash } from "node:crypto";
import { WorkQueue } from "#lib/concurrency";
import { parseJson } from "#lib/values";
import { type SiteContext, isRecord } from "#kernel";
import type { CdnProvider, CdnSection } from "./contract.js";
import { CdnRefusal } from "./errors.js";
import type { OutboundAnswer, OutboundService } from "../outbound/contract.js";

/** Creates the configured provider; the schema has validated its settings. */
export function createProvider(site: SiteContext, section: CdnSection): CdnProvider {
  const call = createCallApi(site.use("outbound"), section.provider);
  return makers[section.provider](call, section, site.settings.site.url);
}

type Maker = (call: CallApi, section: CdnSection, base: string) => CdnProvider;

const makers: Readonly<Record<CdnSection["provider"], Maker>> = {
  cloudflare: (call, section) =>
    cloudflare(call, {
      zoneId: orEmpty(section.zone_id),
      apiToken: orEmpty(section.api_token),
      api: readApi(section),
    }),
  fastly: (call, section) =>
    fastly(call, {
      serviceId: orEmpty(section.service_id),
      apiKey: orEmpty(section.api_key),
      api: readApi(section),
    }),
  bunny: (call, section) =>
    bunny(call, {
      pullZoneId: orEmpty(section.pull_zone_id),
      apiKey: orEmpty(section.api_key),
      api: readApi(section),
    }),
  custom: (call, section, base) =>
    custom(call, { url: orEmpty(section.url), token: orEmpty(section.token), base }),
};

function orEmpty(value: string | undefined): string {
  return value ?? "";
}

/** The configured address of the provider's API, without a trailing slash. */
function readApi({ url }: CdnSection): string | undefined {
  return url?.replace(/(?<!\/)\/+$/, "");
}

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
    const { success, errors } = parseObject(await call({ ...request, headers }), "cloudflare");
    // A failure can have status 200.
    if (success !== true) throw new CdnRefusal(`cloudflare refused: ${listCodes(errors)}`);
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
function listCodes(errors: unknown): string {
  const list: unknown[] = Array.isArray(errors) ? errors : [];
  const codes = list.flatMap((error) =>
    typeof error === "object" && error !== null && "code" in error && Number.isInteger(error.code)
      ? [`code ${String(error.code)}`]
      : [],
  );
  return codes.slice(0, 5).join(", ") || "without a code";
}

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
      const keys = urls.map((url) => surrogateKey(toPath(url)));
      const answer = await call({
        url: `${service}/purge`,
        headers,
        body: { surrogate_keys: keys },
      });
      parseObject(answer, "fastly");
    },
    async purgeEverything() {
      parseObject(await call({ url: `${service}/purge_all`, headers }), "fastly");
    },
    async verify() {
      // A token that only purges may not read the service.
      parseObject(await call({ url: `${api}/tokens/self`, method: "GET", headers }), "fastly");
    },
  };
}

/** The surrogate key of a path with its query. */
export function surrogateKey(path: string): string {
  return createHash("sha1").update(path).digest("base64url").slice(0, 16);
}

function toPath(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

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
      const queue = new WorkQueue({ concurrency: AT_ONCE });
      // Without exactPath, an address with a trailing slash is a prefix.
      const query = (url: string): string =>
        new URLSearchParams({ url, async: "true", exactPath: "true" }).toString();
      await Promise.all(
        urls.map((url) => queue.run(() => call({ url: `${api}/purge?${query(url)}`, headers }))),
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

const TIMEOUT_MS = 10_000;

/** A request to a provider. */
interface ApiCall {
  url: string;
  /** Default: POST. */
  method?: "GET" | "POST";
  headers: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  body?: unknown;
}

/** Makes a call and returns a 2xx response. Error messages contain the status, but no request data. */
type CallApi = (call: ApiCall) => Promise<OutboundAnswer>;

/** Calls through the guarded client. @throws CdnRefusal for any status but 2xx. */
export function createCallApi(outbound: Pick<OutboundService, "request">, name: string): CallApi {
  return async ({ url, headers, body, method = "POST" }) => {
    const answer = await outbound.request(url, {
      method,
      headers: {
        Accept: "application/json",
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(method === "POST" && { body: body === undefined ? "" : JSON.stringify(body) }),
      timeoutMs: TIMEOUT_MS,
      overflow: "discard",
      policy: "operator",
    });
    const { status } = answer;
    if (status >= 200 && status < 300) return answer;
    throw new CdnRefusal(`${name} answered ${status}`, readRetryAfter(answer));
  };
}

/** `Retry-After` in seconds, as milliseconds; dates are not read. */
function readRetryAfter({ headers }: OutboundAnswer): number | null {
  const text = headers["retry-after"] ?? "";
  return /^\d{1,6}$/.test(text) ? Number(text) * 1_000 : null;
}

/** The JSON object of a response. @throws CdnRefusal for anything else. */
function parseObject({ body }: OutboundAnswer, name: string): Readonly<Record<string, unknown>> {
  const value = parseJson(body.toString());
  if (isRecord(value)) return { ...value };
  throw new CdnRefusal(`${name} answered something that is not JSON`);
}
