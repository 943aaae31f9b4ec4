import type { AnswerFilter } from "#kernel/internal";
import type { RouteTable } from "./route-table.js";

const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");
/** Headers of every response below `{admin.path}`. */
export const ADMIN_HEADERS = {
  "Content-Security-Policy": CSP,
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cache-Control": "private, no-store",
} as const;

/** The policy of a document whose script adds style elements with a nonce. */
export function documentPolicy(nonce: string): string {
  return CSP.replace("style-src 'self'", `style-src 'self' 'nonce-${nonce}'`)
    .replace("img-src 'self' data:", "img-src 'self' data: blob:")
    .concat("; frame-src 'self'");
}

/** Responses below `{admin.path}` are personal, never cached and never framed. */
export function adminHeaders(table: RouteTable): AnswerFilter {
  const assets = `${table.path}/assets/`;
  return (req, _res, answer) => {
    if (!table.covers(req.ctx.path)) return;
    const isAsset = req.ctx.path.startsWith(assets) && (answer.status ?? 200) === 200;
    if (isAsset) return;
    answer.cache = { ...answer.cache, private: true };
    const policy = table.policies.get(req);
    const own = policy === undefined ? {} : { "Content-Security-Policy": policy };
    answer.headers = { ...answer.headers, ...ADMIN_HEADERS, ...own };
  };
}
