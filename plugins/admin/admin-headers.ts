import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { AnswerFilter, RequestContext } from "#kernel";
import { chooseEncoding, isCompressible } from "#lib/http";
import type { RouteTable } from "./route-table.js";

const CSP_NAME = "Content-Security-Policy";
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

/** Headers of files that are named by their digest. */
export const IMMUTABLE = { "Cache-Control": "public, max-age=31536000, immutable" } as const;

/** The policy of a document whose script adds style elements with a nonce. */
export function documentPolicy(nonce: string): string {
  return CSP.replace("style-src 'self'", `style-src 'self' 'nonce-${nonce}'`)
    .replace("img-src 'self' data:", "img-src 'self' data: blob:")
    .concat("; frame-src 'self'");
}
/** Below `{admin.path}`: documents for a frame of the panel, with the policy of the site's pages. */
export const PREVIEW_PATH = "/preview";
/** The panel reads the frame to follow the cursor; no script runs in it. */
const SANDBOX = "sandbox allow-same-origin";

/** Responses below `{admin.path}` are personal, never cached and never framed. */
export function adminHeaders(table: RouteTable): AnswerFilter {
  const assets = `${table.path}/assets/`;
  const preview = table.path + PREVIEW_PATH;
  return (req, _res, answer) => {
    const ownPolicy = answer.headers?.[CSP_NAME];
    if (!table.covers(req.ctx.path)) return;
    const isAsset = req.ctx.path.startsWith(assets) && (answer.status ?? 200) === 200;
    if (isAsset) return;
    answer.cache = { ...answer.cache, private: true };
    const policy = table.policies.get(req);
    const document = policy === undefined ? {} : { [CSP_NAME]: policy };
    answer.headers = { ...answer.headers, ...ADMIN_HEADERS, ...document };
    if (req.ctx.path === preview) Object.assign(answer.headers, frameHeaders(req.ctx, ownPolicy));
  };
}

/** `own`: the policy of this response, when it has a nonce. */
function frameHeaders(
  { responseHeaders = {} }: RequestContext,
  ownPolicy: string | undefined,
): Record<string, string> {
  const policy = ownPolicy ?? responseHeaders[CSP_NAME] ?? CSP;
  return { [CSP_NAME]: `${policy}; ${SANDBOX}`, "X-Frame-Options": "SAMEORIGIN" };
}

// Takes milliseconds for a list of 60 KB. The package has the panel's own files compressed already.
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/**
 * Compresses JSON and files below `{admin.path}`. Documents are sent as they are: those of
 * the login repeat a part of the address beside a secret.
 */
export function compressAnswers(table: RouteTable): AnswerFilter {
  return (req, _res, answer) => {
    const { body, headers = {}, type } = answer;
    if (!table.covers(req.ctx.path) || type.startsWith("text/html")) return;
    if (headers["Content-Encoding"] !== undefined) return;
    if (!isCompressible(type, body.length)) return;
    const encoding = chooseEncoding(req.headers["accept-encoding"]);
    if (encoding === "identity") return;
    answer.body = encoding === "br" ? brotliCompressSync(body, BROTLI) : gzipSync(body);
    answer.headers = { ...headers, "Content-Encoding": encoding };
  };
}
