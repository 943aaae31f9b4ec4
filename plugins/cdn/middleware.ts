/** Notes what goes out, so that it is known what a change concerns. */
import type { Request, Response } from "express";
import type { Answer, AnswerFilter, EdgeStep, SiteContext } from "#kernel";
import type { CdnProvider } from "./contract.js";
import { ANY, type Ledger } from "./ledger.js";

/** Longest path with query that is noted by itself. */
const LONGEST = 1_024;

/** What an answer read that does not say it: a page whose template looked at the request. */
const ANYTHING: ReadonlySet<string> = new Set([ANY]);

/** What the watchers work with. */
export interface WatchParts {
  ledger: Ledger;
  /** An answer that was old when it went out. */
  onOld(path: string): void;
}

/** Notes answers that are made now, with what they were made from. */
export function noteAnswers({ ledger, onOld }: WatchParts): AnswerFilter {
  return (req, _res, answer) => {
    if (!isRead(req) || !isKept(req, answer)) return;
    if (req.url.length > LONGEST) ledger.lost();
    else if (ledger.note(req.url, answer.reads ?? ANYTHING, req.ctx.startedAt)) onOld(req.url);
  };
}

/** True for what a network may keep and what may be another one under its address. */
function isKept(req: Request, { status = 200, private: isPrivate, headers }: Answer): boolean {
  if (status !== 200 || isPrivate === true || req.ctx.state.viewer !== undefined) return false;
  return !/no-store|private|immutable/.test(headers?.["Cache-Control"] ?? "");
}

/**
 * Notes what goes out without passing the filters: held answers, under whatever query they were
 * asked for, files of pages and their image variants.
 */
export function noteHeld(site: SiteContext, { ledger, onOld }: WatchParts): EdgeStep {
  return (req, res) => {
    if (!isRead(req)) return;
    res.once("finish", () => {
      if (!isPublic(req, res) || ledger.has(req.url)) return;
      const reads = req.ctx.state.responseTags ?? mediaTag(site, req.ctx.path);
      if (reads === null) return;
      if (req.url.length > LONGEST) ledger.lost();
      else if (ledger.note(req.url, reads, req.ctx.startedAt)) onOld(req.url);
    });
  };
}

function mediaTag(site: SiteContext, path: string): ReadonlySet<string> | null {
  const folder = folderOf(site, path);
  return folder === null ? null : new Set([`media:${folder}`]);
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
