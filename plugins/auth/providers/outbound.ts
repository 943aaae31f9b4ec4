import type { OutboundAnswer, OutboundService } from "../../outbound/contract.js";

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

/** For profiles, tokens and discovery documents. */
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
