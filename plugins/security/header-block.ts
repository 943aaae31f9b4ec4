import helmet from "helmet";
import type { IncomingMessage, ServerResponse } from "node:http";

/** Sources per CSP directive. */
export type CspDirectives = Readonly<Record<string, readonly string[]>>;

const DIRECTIVES: CspDirectives = {
  "default-src": ["'self'"],
  "script-src": ["'self'"],
  "style-src": ["'self'"],
  "img-src": ["'self'", "data:", "https:"],
  "media-src": ["'self'", "https:"],
  "frame-src": ["'self'"],
  "object-src": ["'none'"],
  "base-uri": ["'none'"],
  "form-action": ["'self'"],
  "frame-ancestors": ["'self'"],
};

/** The default directives plus the sources of the site and of plugins. */
export function cspDirectives(...extra: readonly CspDirectives[]): CspDirectives {
  const merged: Record<string, readonly string[]> = { ...DIRECTIVES };
  for (const [name, sources] of extra.flatMap((one) => Object.entries(one))) {
    merged[name] = [...(merged[name] ?? []), ...sources];
  }
  return merged;
}

/**
 * Formats the CSP header, with an optional `nonce` for inline scripts and styles of the response.
 */
export function formatCsp(directives: CspDirectives, nonce?: string): string {
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources, ...nonceFor(name, nonce)].join(" "))
    .join("; ");
}

function nonceFor(directive: string, nonce: string | undefined): string[] {
  const takesNonce = directive === "script-src" || directive === "style-src";
  return nonce !== undefined && takesNonce ? [`'nonce-${nonce}'`] : [];
}

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
