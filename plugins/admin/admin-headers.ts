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

/** Responses below `{admin.path}` are personal, never cached and never framed. */
export function adminHeaders(table: RouteTable): AnswerFilter {
  const assets = `${table.path}/assets/`;
  return (req, _res, answer) => {
    if (!table.covers(req.ctx.path)) return;
    const isAsset = req.ctx.path.startsWith(assets) && (answer.status ?? 200) === 200;
    if (isAsset) return;
    answer.cache = { ...answer.cache, private: true };
    answer.headers = { ...answer.headers, ...ADMIN_HEADERS };
  };
}
