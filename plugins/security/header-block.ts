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

/** The default directives with the site's own sources added. */
export function cspDirectives(extra: CspDirectives): CspDirectives {
  const merged: Record<string, readonly string[]> = { ...DIRECTIVES };
  for (const [name, sources] of Object.entries(extra)) {
    merged[name] = [...(DIRECTIVES[name] ?? []), ...sources];
  }
  return merged;
}

/** The CSP as a header; with `nonce` for inline scripts and styles of this answer. */
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
 * The headers of every answer, computed once: helmet runs against a recorder, so that a request
 * pays nothing for it. HSTS only where the site is served by HTTPS.
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
  // helmet only ever sets and removes headers of the response it is given.
  middleware({} as IncomingMessage, recorder as unknown as ServerResponse, () => undefined);
  return {
    ...headers,
    "Content-Security-Policy": formatCsp(directives),
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
  };
}
