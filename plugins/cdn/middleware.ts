/** Records responses, so that a change can be mapped to addresses. */
import type { Request, Response } from "express";
import type { Answer, AnswerFilter, EdgeStep, SiteContext, SitePath } from "#kernel";
import type { CdnProvider } from "./contract.js";
import { ANY, type Ledger } from "./ledger.js";

/** Maximum length of a recorded path with query. */
const LONGEST = 1_024;

/** The dependencies of a response without tags: a page whose template read the request. */
const ANYTHING: ReadonlySet<string> = new Set([ANY]);

/** The dependencies of the middleware. */
export interface WatchOptions {
  ledger: Ledger;
  /** The address by which a purge names the response to a request. */
  addressOf(req: Request): string;
  /** Called for a response that was outdated when it was sent. */
  onOld(path: string): void;
}

/** The address as the network knows it, with the parameters that the site ignores. */
export function receivedTarget(req: Request): string {
  const { ctx } = req;
  return ctx.target ?? req.url;
}

/** Records newly rendered responses with their dependencies. */
export function recordResponses(options: WatchOptions): AnswerFilter {
  return (req, _res, answer) => {
    if (isRead(req) && isKept(req, answer)) record(req, answer.cache?.tags ?? ANYTHING, options);
  };
}

function record(req: Request, reads: ReadonlySet<string>, options: WatchOptions): void {
  const { ledger, addressOf, onOld } = options;
  const address = addressOf(req);
  if (address.length > LONGEST) ledger.lost();
  else if (ledger.note(address, reads, req.ctx.startedAt)) onOld(address);
}

/** True for a response that a network may cache and that may change. */
function isKept(req: Request, { status = 200, cache, headers }: Answer): boolean {
  if (status !== 200 || cache?.private === true || req.ctx.state.viewer !== undefined) return false;
  return !/no-store|private|immutable/.test(headers?.["Cache-Control"] ?? "");
}

/**
 * Records responses that bypass the filters: cached responses under each requested query, media of pages
 * and their image variants.
 */
export function recordCached(site: SiteContext, options: WatchOptions): EdgeStep {
  return (req, res) => {
    if (!isRead(req)) return;
    res.once("finish", () => {
      if (!isPublic(req, res) || options.ledger.has(options.addressOf(req))) return;
      const reads = req.ctx.state.responseTags ?? mediaTag(site, req.ctx.path);
      if (reads !== null) record(req, reads, options);
    });
  };
}

function mediaTag(site: SiteContext, path: string): ReadonlySet<string> | null {
  const folder = findFolder(site, path);
  return folder === null ? null : new Set([`media:${folder}`]);
}

/** Adds the provider's label header, for the public address, to every response. */
export function addLabel(
  { name, of }: NonNullable<CdnProvider["label"]>,
  sitePath: SitePath,
): EdgeStep {
  return (req, res) => {
    if (isRead(req)) res.setHeader(name, of(sitePath.outside(req.url)));
  };
}

const MEDIA = "/content-media/";

/** The content folder of a media address; null for other addresses. */
function findFolder(site: SiteContext, path: string): string | null {
  const slash = path.lastIndexOf("/");
  if (path.startsWith(MEDIA)) return path.slice(MEDIA.length, slash);
  if (!path.includes(".", slash)) return null;
  const view = site.use("content").view();
  const match = view.resolve(path.slice(0, slash) || "/");
  return match.kind === "page" ? match.entry.folder : null;
}

function isPublic({ ctx }: Request, { statusCode }: Response): boolean {
  return (statusCode === 200 || statusCode === 304) && ctx.state.viewer === undefined;
}

function isRead({ method }: Request): boolean {
  return method === "GET" || method === "HEAD";
}
