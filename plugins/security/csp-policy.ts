/** The Content-Security-Policy of a site, and of responses with a nonce. */
import type { AnswerFilter } from "#kernel";
import { withCspSources } from "#lib/http";

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

/** Adds the nonce of a response to its CSP. */
export function nonceFilter(policy: () => CspDirectives): AnswerFilter {
  return (req, _res, answer) => {
    if (!req.ctx.hasNonce) return;
    const { ctx } = req;
    const value = withCspSources(formatCsp(policy(), ctx.nonce()), ctx.csp ?? {});
    answer.headers = { "Content-Security-Policy": value, ...answer.headers };
  };
}
