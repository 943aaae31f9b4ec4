/** Notes what goes out, so that it is known what a change concerns. */
import type { Request, Response } from "express";
import type { AnswerFilter, EdgeStep, SiteContext } from "#kernel";
import type { CdnProvider } from "./contract.js";
import type { Ledger } from "./ledger.js";

/** Longest path with query that is noted by itself. */
const LONGEST = 1_024;

/** What the watchers work with. */
export interface WatchParts {
  ledger: Ledger;
  /** An answer that was old when it went out. */
  onOld(path: string): void;
}

/** Notes answers that say what they were made from. */
export function noteAnswers({ ledger, onOld }: WatchParts): AnswerFilter {
  return (req, _res, answer) => {
    if (!isRead(req) || answer.reads === undefined) return;
    if (answer.private === true || req.ctx.state.viewer !== undefined) return;
    if (req.url.length > LONGEST) ledger.lost();
    else if (ledger.note(req.url, answer.reads, req.ctx.startedAt)) onOld(req.url);
  };
}

/** Notes files of pages and their image variants: they go out without saying what they were made from. */
export function noteMedia(site: SiteContext, { ledger, onOld }: WatchParts): EdgeStep {
  return (req, res) => {
    if (!isRead(req)) return;
    const folder = folderOf(site, req.ctx.path);
    if (folder === null) return;
    res.once("finish", () => {
      // A feed looks like a file too, but has said what it was made from.
      if (!isPublic(req, res) || ledger.has(req.url)) return;
      if (req.url.length > LONGEST) ledger.lost();
      else if (ledger.note(req.url, new Set([`media:${folder}`]), req.ctx.startedAt))
        onOld(req.url);
    });
  };
}

/** Gives every answer the header by which the provider finds it again. */
export function addLabel({ name, of }: NonNullable<CdnProvider["label"]>): EdgeStep {
  return (req, res) => {
    if (isRead(req)) res.setHeader(name, of(req.url));
  };
}

const MEDIA = "/content-media/";

/** The content folder a file's address leads to; null for what is no file of a page. */
function folderOf(site: SiteContext, path: string): string | null {
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
