import type { CustomFetch } from "openid-client";
import type { OutboundAnswer, OutboundService } from "../../outbound/contract.js";
import { parseJson, ProviderError } from "./provider.js";

/** Limits of a call. */
export interface CallLimits {
  timeoutMs: number;
  maxBytes: number;
}
/** A request to a provider. */
export interface CallRequest {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | URLSearchParams | null;
  signal?: AbortSignal;
}

/** Limits of profiles, tokens and discovery documents. */
export const PROVIDER_LIMITS: CallLimits = { timeoutMs: 5_000, maxBytes: 1_048_576 };
const FORM = "application/x-www-form-urlencoded;charset=UTF-8";

/**
 * Calls identity providers through the site's outbound client. Hosts named in the configuration may
 * be internal; hosts named only by a provider (discovery document) must be public.
 */
export class ProviderCalls {
  readonly #outbound: Pick<OutboundService, "request">;
  readonly #named: ReadonlySet<string>;

  /** `configured`: URLs of the configuration; undefined ones are ignored. */
  constructor(
    outbound: Pick<OutboundService, "request">,
    configured: readonly (string | undefined)[],
  ) {
    this.#outbound = outbound;
    this.#named = new Set(
      configured.flatMap((address) => (address === undefined ? [] : [new URL(address).host])),
    );
  }

  /**
   * Like `fetch`, but reads the whole body within the limits and rejects redirects.
   * @throws ERR_OUTBOUND_…, and TypeError for a redirect.
   */
  async fetch(url: string, request: CallRequest, limits: CallLimits): Promise<Response> {
    const { method = "GET", headers = {}, body, signal } = request;
    const isForm = body instanceof URLSearchParams;
    const answer = await this.#outbound.request(url, {
      method,
      headers: {
        "Accept-Encoding": "identity",
        ...(isForm && { "Content-Type": FORM }),
        ...headers,
      },
      ...limits,
      ...(body && { body: String(body) }),
      ...(signal && { signal }),
      policy: this.#named.has(new URL(url).host) ? "named" : "strict",
    });
    return toResponse(answer);
  }
}

/** @throws TypeError for a redirect, and for an unexpected content encoding. */
function toResponse({ status, headers, body }: OutboundAnswer): Response {
  if (status >= 300 && status < 400) throw new TypeError(`redirected with status ${status}`);
  const coding = headers["content-encoding"] ?? "identity";
  if (coding !== "identity")
    throw new TypeError(`unexpected content encoding ${coding.slice(0, 20)}`);
  const bytes = status === 204 ? null : new Uint8Array(body);
  return new Response(bytes, { status, headers: { ...headers } });
}

/** `fetch` for the library, within our limits. */
export function libraryFetch(calls: ProviderCalls): CustomFetch {
  return (url, { method, headers, body, signal }) => {
    const isText = typeof body === "string" || body instanceof URLSearchParams;
    const request = { method, headers, body: isText ? body : null, ...(signal && { signal }) };
    return calls.fetch(url, request, PROVIDER_LIMITS);
  };
}

/**
 * Fetches JSON with a bearer token.
 * @throws ProviderError.
 */
export async function getJson(calls: ProviderCalls, url: string, token: string): Promise<unknown> {
  const headers = {
    Accept: "application/json",
    Authorization: `Bearer ${token}`,
    "User-Agent": "Site/0.4",
  };
  const response = await calls.fetch(url, { headers }, PROVIDER_LIMITS);
  const body = await response.text();
  if (response.status === 200) return parseJson(body);
  throw new ProviderError(
    "provider",
    `the profile endpoint responded with status ${response.status}`,
  );
}

/**
 * Converts a plain OAuth 2 token response to the form of RFC 6749: GitHub reports errors with
 * status 200, and Google's ID token adds nothing to the profile.
 */
export async function plainToken(response: Response): Promise<Response> {
  const value = parseJson(await response.text());
  if (typeof value !== "object" || value === null) {
    throw new ProviderError("provider", "the token endpoint did not respond with a JSON object");
  }
  const { id_token: _, ...token } = { id_token: undefined, ...value };
  const status = response.status === 200 && "error" in token ? 400 : response.status;
  return new Response(JSON.stringify(token), {
    status,
    headers: { "content-type": "application/json" },
  });
}
