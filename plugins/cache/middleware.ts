import type { Request } from "express";
import {
  type Answer,
  type SiteContext,
  type SiteSettings,
  hasCredentials,
  type AnswerFilter,
} from "#kernel";
import { cappedLifetime } from "#lib/http";
import { CachedResponse, createCompressions } from "./response-cache.js";
import { createBufferEtags, isFresh, sendNotModified, strongEtag } from "./etag.js";
import { isRead, type ResponseKeys } from "./response-keys.js";

/** `Cache-Control` of a response that depends on the visitor. */
const PRIVATE = "private, no-store";
/** Minimum characters of a text that is encoded only once. */
const LONG = 1_000;

/** Validators, `Cache-Control`, 304, and storing responses; `keys`: null when caching is off. */
export function responseFilter(site: SiteContext, keys: ResponseKeys | null): AnswerFilter {
  const cacheControl = createCacheControl(site.settings.site.http_cache);
  const bufferEtag = createBufferEtags();
  const vary = createVary(site);
  const store = keys === null ? () => undefined : createStore(site, keys);
  const byDefault = site.runtime.env.mode === "dev" ? () => "no-cache" : cacheControl;
  return (req, res, answer) => {
    if (!isRead(req)) return;
    const now = site.runtime.clock.now();
    const until = answer.cache?.until;
    if (answer.status === 301 && until !== null && until !== undefined) {
      // Browsers keep a permanent redirect for ever unless told otherwise.
      const control = cappedLifetime(byDefault(req.ctx.path), { until, now });
      answer.headers = { "Cache-Control": control, ...answer.headers };
    }
    if ((answer.status ?? 200) !== 200) return;
    const etag = answer.headers?.["ETag"] ?? validate(answer, bufferEtag);
    const isPersonal = dependsOnViewer(req, answer);
    const headers: Record<string, string> = {
      "Cache-Control": byDefault(req.ctx.path),
      ...answer.headers,
      ETag: etag,
      Vary: vary(req, answer),
    };
    const control = headers["Cache-Control"] ?? "";
    headers["Cache-Control"] = isPersonal ? PRIVATE : cappedLifetime(control, { until, now });
    answer.headers = headers;
    if (!isPersonal && !res.hasHeader("Set-Cookie")) store({ req, answer, etag, control });
    if (!isFresh(req.headers["if-none-match"], etag)) return;
    sendNotModified(res, headers);
    return true;
  };
}

/** The validator of a body; a long text is encoded once for validator, length, cache and socket. */
function validate(answer: Answer, bufferEtag: (body: Buffer) => string): string {
  const { body } = answer;
  if (typeof body !== "string") return bufferEtag(body);
  if (body.length >= LONG) answer.body = Buffer.from(body);
  return strongEtag(answer.body);
}

function dependsOnViewer(req: Request, answer: Answer): boolean {
  const { ctx } = req;
  const isOfViewer = ctx.isProtected === true || ctx.state.viewer !== undefined;
  return isOfViewer || answer.cache?.private === true;
}

/** A response that depends on no visitor. */
interface SharedAnswer {
  readonly req: Request;
  readonly answer: Answer;
  readonly etag: string;
  /** `Cache-Control` before it was capped. */
  readonly control: string;
}

/** Passes a response that may be cached to the cache and to the requests that wait for it. */
function createStore(site: SiteContext, keys: ResponseKeys): (shared: SharedAnswer) => void {
  const compressions = createCompressions();
  return ({ req, answer, etag, control }) => {
    const { pendingResponse } = req.ctx.state;
    if (pendingResponse === undefined || !isCacheable(req, answer)) return;
    const key = keys.learn(req, { isPage: answer.type.startsWith("text/html") });
    if (key === null) return;
    const options = { etag, control, route: req.ctx.route, compressions };
    const response = new CachedResponse(key, { ...answer }, options);
    pendingResponse.store(response, earlier(answer.cache?.until ?? null, ttlEnd(site)));
  };
}

function isCacheable(req: Request, answer: Answer): boolean {
  return answer.cache?.tags !== undefined && !req.ctx.hasNonce && !hasCredentials(req);
}

/** Unix ms; null: no limit. */
function ttlEnd(site: SiteContext): number | null {
  const { enabled, ttl } = site.settings.system.page_cache;
  return enabled ? site.runtime.clock.now() + ttl * 1_000 : null;
}

function earlier(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}

/** `Accept-Encoding` because cached responses are compressed; `Cookie` where a login changes the response. */
function createVary(site: SiteContext): (req: Request, answer: Answer) => string {
  const hasLogins = site.settings.site.auth !== undefined;
  // Few combinations exist: plugins add header names, not values of requests.
  const merged = new Map<string, string>();
  return (req, answer) => {
    const answerVary = answer.headers?.["Vary"] ?? "";
    const byLogin = hasLogins || req.ctx.path.startsWith("/api/");
    const { ctx } = req;
    const block = ctx.responseHeaders?.["Vary"] ?? "";
    const key = `${byLogin ? "login" : ""} ${block} ${answerVary}`;
    const vary = merged.get(key) ?? formatVary([block, answerVary], byLogin);
    if (merged.size < 100) merged.set(key, vary);
    return vary;
  };
}

function formatVary(parts: readonly string[], byLogin: boolean): string {
  const all = [...parts, "Accept-Encoding", ...(byLogin ? ["Cookie", "Authorization"] : [])];
  const names = all.flatMap((part) => part.split(/,\s*/)).filter((name) => name !== "");
  return [...new Set(names)].join(", ");
}

/**
 * `Cache-Control` by path: the rule with the longest pattern that equals the path or one of its
 * parent paths, else the defaults. Computed once per path.
 */
export function createCacheControl(
  settings: Pick<SiteSettings["http_cache"], "rules" | "default_max_age" | "default_swr">,
): (path: string) => string {
  const rules = settings.rules.toSorted((a, b) => b.pattern.length - a.pattern.length);
  const { default_max_age: maxAge, default_swr: swr } = settings;
  const fallback = format(maxAge, swr);
  if (rules.length === 0) return () => fallback;
  return (path) => {
    const rule = rules.find(({ pattern }) => matches(pattern, path));
    if (!rule) return fallback;
    if (rule.no_store === true) return "no-store";
    return format(rule.max_age ?? maxAge, rule.stale_while_revalidate ?? swr);
  };
}

/** Both in seconds. */
function format(maxAge: number, swr: number): string {
  const base = `public, max-age=${maxAge}`;
  return swr > 0 ? `${base}, stale-while-revalidate=${swr}` : base;
}

function matches(pattern: string, path: string): boolean {
  if (!path.startsWith(pattern)) return false;
  return path.length === pattern.length || pattern.endsWith("/") || path[pattern.length] === "/";
}
