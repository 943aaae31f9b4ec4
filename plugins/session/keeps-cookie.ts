import type { Handler } from "#kernel";

type Req = Parameters<Handler>[0];

const LOCAL = /^(?:(?:[^:]+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/**
 * False when a browser drops a `Secure` cookie of the response: the request came over plain http from a host that is
 * not this machine. A proxy that ends TLS says so in `X-Forwarded-Proto`, trusted or not: only the words of a notice
 * depend on it.
 */
export function keepsSecureCookie({ ctx, headers }: Req): boolean {
  if (ctx.protocol === "https" || LOCAL.test(headers.host ?? "")) return true;
  const forwarded = [headers["x-forwarded-proto"] ?? ""].flat().join(",");
  return /^\s*https\b/i.test(forwarded) || headers.origin?.startsWith("https:") === true;
}
