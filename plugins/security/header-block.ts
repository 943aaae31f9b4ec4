import helmet from "helmet";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type CspDirectives, formatCsp } from "./csp-policy.js";

/**
 * Computes the headers of every response once: helmet runs against a recorder, so that requests
 * cost nothing. HSTS is only set when the site is served over HTTPS.
 */
export function headerBlock(directives: CspDirectives, https: boolean): Record<string, string> {
  const headers: Record<string, string> = {};
  const recorder = {
    setHeader: (name: string, value: string) => void (headers[name] = value),
    removeHeader: (name: string) => void delete headers[name],
  };
  const middleware = helmet({
    contentSecurityPolicy: false,
    crossOriginResourcePolicy: { policy: "cross-origin" },
    referrerPolicy: { policy: "strict-origin-when-cross-origin" },
    strictTransportSecurity: https,
  });
  // helmet only sets and removes headers of the response.
  middleware({} as IncomingMessage, recorder as unknown as ServerResponse, () => undefined);
  return {
    ...headers,
    "Content-Security-Policy": formatCsp(directives),
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
  };
}
