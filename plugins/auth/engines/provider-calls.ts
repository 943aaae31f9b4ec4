import type { CustomFetch } from "openid-client";
import { PROVIDER_LIMITS, type ProviderCalls } from "../providers/outbound.js";
import { parseJson } from "../providers/profiles.js";
import { ProviderError } from "../providers/provider.js";

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
