import type { Request, Response } from "express";
import {
  onAnswered,
  type Answer,
  type AnswerFilter,
  type EdgeStep,
  type SiteContext,
} from "#kernel";
import { createCacheControl, PRIVATE } from "./cache-control.js";
import { createLastingEtags, isFresh, strongEtag } from "./etag.js";
import { HeldAnswer } from "./held-answer.js";
import type { HeldAnswers } from "./held-answers.js";
import type { HeldKeys } from "./held-keys.js";
import { SharedMisses } from "./shared-misses.js";

/** Where answers are held, and by which keys. */
export interface Store {
  readonly held: HeldAnswers;
  readonly keys: HeldKeys;
}

/** Shortest text, in characters, that is worth encoding once. */
const LONG = 1_000;

/** Validators, `Cache-Control`, 304, and holding what may be held. */
export function answerFilter(site: SiteContext, store: Store | null): AnswerFilter {
  const cacheControl = createCacheControl(site.settings.site.http_cache);
  const lastingEtag = createLastingEtags();
  const vary = createVary(site);
  const byDefault = site.env.mode === "dev" ? () => "no-cache" : cacheControl;
  return (req, res, answer) => {
    if ((answer.status ?? 200) !== 200 || !isRead(req)) return;
    const etag = answer.headers?.["ETag"] ?? validate(answer, lastingEtag);
    const isPersonal = dependsOnViewer(req, answer);
    const headers: Record<string, string> = {
      "Cache-Control": byDefault(req.ctx.path),
      ...answer.headers,
      ETag: etag,
      Vary: vary(req, answer),
    };
    if (isPersonal) headers["Cache-Control"] = PRIVATE;
    answer.headers = headers;
    if (!isPersonal && !res.hasHeader("Set-Cookie")) hold(site, store, { req, answer, etag });
    if (!isFresh(req.headers["if-none-match"], etag)) return;
    sendNotModified({ res, headers });
    return true;
  };
}

/** The validator of a body; a long text is encoded once for it, its length, the store and the socket. */
function validate(answer: Answer, lastingEtag: (body: Buffer) => string): string {
  const { body } = answer;
  if (typeof body !== "string")
    return answer.lasting === true ? lastingEtag(body) : strongEtag(body);
  if (body.length >= LONG) answer.body = Buffer.from(body);
  return strongEtag(answer.body);
}

function dependsOnViewer(req: Request, answer: Answer): boolean {
  return answer.private === true || req.ctx.state.viewer !== undefined;
}

function isRead({ method }: Request): boolean {
  return method === "GET" || method === "HEAD";
}

function hold(
  site: SiteContext,
  store: Store | null,
  { req, answer, etag }: { req: Request; answer: Answer; etag: string },
): void {
  if (store === null || !isHoldable(req, answer)) return;
  const key = store.keys.learn(req, { isPage: answer.type.startsWith("text/html") });
  if (key === null) return;
  const expiresAt = Math.min(answer.expiresAt ?? Infinity, ttlEnd(site));
  store.held.put(
    new HeldAnswer(key, { ...answer }, { etag, expiresAt, route: req.ctx.route }),
    req.ctx.startedAt,
  );
}

/**
 * Answers from the cache before sessions, routes and rendering: the last step of the edge. Requests
 * for an address that is just being answered wait for that answer.
 */
export function heldStep(site: SiteContext, { held, keys }: Store): EdgeStep {
  const misses = new SharedMisses();
  const find = (req: Request): HeldAnswer | undefined => {
    const key = keys.keyOf(req);
    return key === null ? undefined : held.get(key, site.clock.now());
  };
  const share = (key: string, req: Request, res: Exchange["res"]): false | Promise<boolean> => {
    const ended = misses.join(key, () => answered(res));
    if (ended === null) return false;
    return ended.then((status) => {
      if (res.destroyed) return true;
      const entry = find(req);
      if (entry) return sendHeld(site, entry, { req, res });
      // The client has left before its answer: another request of those that wait is answered.
      if (status === null) return share(key, req, res);
      if (status < 500) misses.notCached(key);
      return false;
    });
  };
  return (req, res) => {
    if (!isRead(req) || isKnownVisitor(req)) return false;
    const entry = find(req);
    if (entry) return sendHeld(site, entry, { req, res });
    held.missed();
    const key = keys.keyOf(req);
    if (site.hooks.has("onCacheMiss")) site.hooks.notify("onCacheMiss", { key: key ?? req.url });
    return key === null ? false : share(key, req, res);
  };
}

function sendHeld(
  site: SiteContext,
  entry: HeldAnswer,
  { req, res }: { req: Request; res: Exchange["res"] },
): true {
  if (site.hooks.has("onCacheHit")) site.hooks.notify("onCacheHit", { key: entry.key });
  entry.onHeld?.();
  req.ctx.state.heldReads = entry.reads;
  req.ctx.route = entry.route;
  const answer = entry.variant(req.headers["accept-encoding"]);
  if (isFresh(req.headers["if-none-match"], entry.etag)) {
    sendNotModified({ res, headers: answer.headers ?? {} });
  } else site.http.send(req, res, answer);
  return true;
}

/** Cookies of sessions and bearer tokens say who asks; such requests are answered anew. */
function isKnownVisitor(req: Request): boolean {
  const { authorization, cookie } = req.headers;
  return authorization !== undefined || (cookie !== undefined && cookie.includes("site_"));
}

function isHoldable(req: Request, answer: Answer): boolean {
  return answer.reads !== undefined && !req.ctx.hasNonce && !isKnownVisitor(req);
}

function ttlEnd(site: SiteContext): number {
  const { enabled, ttl } = site.settings.system.page_cache;
  return enabled ? site.clock.now() + ttl * 1_000 : Infinity;
}

/** `Accept-Encoding` because held answers are compressed; `Cookie` where a login changes the answer. */
function createVary(site: SiteContext): (req: Request, answer: Answer) => string {
  const hasLogins = site.settings.site.auth !== undefined;
  // Of answers that name nothing themselves there are four kinds.
  const known = new Map<string, string>();
  return (req, answer) => {
    const own = answer.headers?.["Vary"];
    const byLogin = hasLogins || req.ctx.path.startsWith("/api/");
    const block = req.ctx.outgoing["Vary"] ?? "";
    if (own !== undefined) return formatVary([block, own], byLogin);
    const key = byLogin ? `login ${block}` : block;
    const vary = known.get(key) ?? formatVary([block], byLogin);
    if (known.size < 100) known.set(key, vary);
    return vary;
  };
}

function formatVary(parts: readonly string[], byLogin: boolean): string {
  const all = [...parts, "Accept-Encoding", ...(byLogin ? ["Cookie", "Authorization"] : [])];
  const names = all.flatMap((part) => part.split(/,\s*/)).filter((name) => name !== "");
  return [...new Set(names)].join(", ");
}

interface Exchange {
  res: Parameters<AnswerFilter>[1];
  headers: Readonly<Record<string, string>>;
}

const KEPT = ["Cache-Control", "ETag", "Vary", "Expires"];

function sendNotModified({ res, headers }: Exchange): void {
  const kept = Object.entries(headers).filter(([name]) => KEPT.includes(name));
  res.writeHead(304, Object.fromEntries(kept));
  res.end();
}

/** The status that a response was sent with; null when its client left before. */
function answered(res: Response): Promise<number | null> {
  return new Promise((resolve) =>
    onAnswered(res, () => resolve(res.headersSent ? res.statusCode : null)),
  );
}
