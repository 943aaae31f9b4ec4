import type { CustomFetch } from "openid-client";
import { PROVIDER_LIMITS, type ProviderCalls } from "../outbound.js";
import { parseJson } from "../profiles.js";
import { ProviderError } from "../provider.js";

/** The library's calls, within our limits. */
export function libraryFetch(calls: ProviderCalls): CustomFetch {
  return (url, { method, headers, body, signal }) => {
    const isText = typeof body === "string" || body instanceof URLSearchParams;
    const request = { method, headers, body: isText ? body : null, ...(signal && { signal }) };
    return calls.fetch(url, request, PROVIDER_LIMITS);
  };
}

/** JSON of a provider's address, for the bearer of a token. Throws ProviderError. */
export async function getJson(calls: ProviderCalls, url: string, token: string): Promise<unknown> {
  const headers = {
    Accept: "application/json",
    Authorization: `Bearer ${token}`,
    "User-Agent": "Site/0.4",
  };
  const response = await calls.fetch(url, { headers }, PROVIDER_LIMITS);
  const body = await response.text();
  if (response.status === 200) return parseJson(body);
  throw new ProviderError("provider", `a profile's address answered ${response.status}`);
}

/**
 * The answer of a plain OAuth 2 token address in the form of RFC 6749: GitHub reports errors with
 * status 200, and Google's ID token says nothing that the profile does not.
 */
export async function plainToken(response: Response): Promise<Response> {
  const value = parseJson(await response.text());
  if (typeof value !== "object" || value === null) {
    throw new ProviderError("provider", "the token's address answered no object");
  }
  const { id_token: _, ...token } = { id_token: undefined, ...value };
  const status = response.status === 200 && "error" in token ? 400 : response.status;
  return new Response(JSON.stringify(token), {
    status,
    headers: { "content-type": "application/json" },
  });
}
