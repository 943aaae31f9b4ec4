/** `GET` and `POST /api/comments`, and the page with the form of a reply. */
import type { Request, Response } from "express";
import { z } from "zod";
import { escapeHtml, HttpError, type SiteContext } from "#kernel";
import { commentForm, SENT, SUBJECT } from "../page-comments.js";
import {
  noPage,
  receiveComment,
  type CommentRejection,
  type ReceivedComment,
  type ReceiveDependencies,
} from "./receive-comment.js";

const MAX_BYTES = 65_536;
const PRIVATE = { "Cache-Control": "private, no-store" };
const problem = z.object({ error: z.string() });
const invalid = problem.extend({
  validationErrors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
});
const one = z.object({
  id: z.string(),
  name: z.string(),
  at: z.string(),
  html: z.string(),
});
const shown = one.extend({ replies: z.array(one) });
const query = z.object({
  route: z.string().max(2_048).describe("Route of a page, without language: /blog/hello"),
  lang: z.string().max(35).optional(),
});

/** Declares the routes. */
export function publicRoutes(parts: ReceiveDependencies): void {
  const { http } = parts.site;
  http.jsonPrefix("/api/comments");
  readRoutes(parts);
  http.route({
    method: "post",
    path: "/api/comments",
    summary: "Comment on a page, with a token of the page or of /api/comments/token",
    body: { as: "raw", limit: MAX_BYTES },
    responses: {
      201: z.object({ id: z.string(), status: z.enum(["pending", "approved"]) }),
      303: null,
      ...Object.fromEntries([400, 401, 404, 409, 413, 415, 429].map((code) => [code, problem])),
      422: invalid,
    },
    handler: async (req, res) => {
      const received = await receiveComment(parts, req);
      const { result } = received;
      if ("code" in result) return rejected(parts, { req, res }, received, result);
      const isPublic = result.status === "approved";
      if (parts.site.use("forms").guard.wantsJson(req)) {
        // A program does not learn that its comment counts as spam.
        const status = isPublic ? "approved" : "pending";
        return http.json(req, res, { id: result.id, status }, { status: 201, headers: PRIVATE });
      }
      const url = parts.site.use("content").addressIn(received.entry, received.lang);
      const Location = isPublic ? `${url}#comment-${result.id}` : `${url}?${SENT}=1#comments`;
      const headers = { ...PRIVATE, Location };
      return http.send(req, res, {
        status: 303,
        type: "text/plain; charset=utf-8",
        body: "",
        headers,
      });
    },
  });
  replyRoute(parts);
}

function readRoutes({ site, pages }: ReceiveDependencies): void {
  const { http } = site;
  http.route({
    method: "get",
    path: "/api/comments",
    summary: "The approved comments of a page, the oldest first",
    query,
    responses: { 200: z.object({ items: z.array(shown), total: z.int() }), 404: problem },
    handler: async (req, res, { query: { route, lang } }) => {
      const content = site.use("content");
      const view = content.view(req.ctx.state.viewer);
      const entry = pages.find(view, route, lang ?? content.languages.main);
      if (entry === null) throw noPage();
      const threads = await pages.threads(view, entry);
      const items = threads.map(({ id, name, at, html, replies }) => ({
        id,
        name,
        at,
        html,
        replies: replies.map((reply) => ({
          id: reply.id,
          name: reply.name,
          at: reply.at,
          html: reply.html,
        })),
      }));
      const total = items.reduce((sum, { replies }) => sum + 1 + replies.length, 0);
      const cache = { tags: view.reads, until: view.expiresAt, private: view.personal };
      await http.json(req, res, { items, total }, { cache });
    },
  });
  http.route({
    method: "get",
    path: "/api/comments/token",
    summary: "A token to send a comment with, as _token",
    responses: { 200: z.object({ token: z.string(), leastSeconds: z.number() }) },
    handler: async (req, res) => {
      const token = await site.use("forms").guard.token(SUBJECT, "");
      const leastSeconds = site.settings.site.forms.least_seconds;
      await http.json(req, res, { token, leastSeconds }, { cache: { private: true } });
    },
  });
}

interface Exchange {
  readonly req: Request;
  readonly res: Response;
}

async function rejected(
  { site, section }: ReceiveDependencies,
  { req, res }: Exchange,
  { entry, lang, sent, parent }: ReceivedComment,
  result: CommentRejection,
): Promise<void> {
  const { status, code, message, errors, retryAfter } = result;
  const { guard } = site.use("forms");
  const headers = {
    ...PRIVATE,
    ...(retryAfter !== null && { "Retry-After": String(retryAfter) }),
  };
  if (guard.wantsJson(req)) {
    const validationErrors = [...errors].map(([field, text]) => ({ field, message: text }));
    throw new HttpError(status, [message, ...errors.keys()].join(" "), {
      code,
      headers,
      ...(errors.size > 0 && { validationErrors }),
    });
  }
  const page = site.use("content").addressIn(entry, lang);
  const form = await renderForm(site, lang, page);
  const html = commentForm(site.use("forms"), section.from === "anyone", {
    ...form,
    lang,
    parent,
    errors,
    message,
    values: sent,
    route: entry.route,
  });
  const heading = form.t("comments.title", "Comments");
  const answer = await guard.again(req, { page, name: "comments", heading, html });
  const { cache: _cache, ...rest } = answer;
  site.http.send(req, res, {
    ...rest,
    status,
    cache: { private: true },
    headers: { ...answer.headers, ...headers },
  });
}

/** The texts of the form of a page, and the hidden fields of the guard. */
async function renderForm(site: SiteContext, lang: string, page: string) {
  const t =
    site.use("render", { optional: true })?.texts(lang) ??
    ((key: string, fallback?: string): string => fallback ?? key);
  const trap = t("form.trap", "Leave this field empty");
  const hidden = await site
    .use("forms")
    .guard.fields({ subject: SUBJECT, page, id: "form-comments", trap });
  return { t, hidden };
}

const replyQuery = query.extend({ to: z.string().max(26).describe("Id of the comment") });

/** `GET /comments/reply`: the comment, and the form of a reply. */
function replyRoute({ site, section, pages }: ReceiveDependencies): void {
  site.http.route({
    method: "get",
    path: "/comments/reply",
    summary: "A page with the form of a reply",
    hidden: true,
    query: replyQuery,
    handler: async (req, res, { query: { route, to, lang: asked } }) => {
      const content = site.use("content");
      const isKnown = asked !== undefined && content.languages.supported.includes(asked);
      const lang = isKnown ? asked : content.languages.main;
      const view = content.view(req.ctx.state.viewer);
      const entry = pages.find(view, route, lang);
      const threads = entry === null ? [] : await pages.threads(view, entry);
      const comment = threads.find(({ id }) => id === to);
      if (entry === null || comment === undefined) throw noPage();
      const page = content.addressIn(entry, lang);
      const form = await renderForm(site, lang, page);
      const quote = `<blockquote class="comment-quote">${comment.html}</blockquote>`;
      const formHtml = commentForm(site.use("forms"), section.from === "anyone", {
        ...form,
        lang,
        parent: to,
        route: entry.route,
      });
      const heading = form
        .t("comments.reply_to", "Reply to {name}")
        .replace("{name}", () => comment.name);
      const answer = await site.use("forms").guard.again(req, {
        page: "",
        name: "comments",
        heading,
        html: `<p><a href="${escapeHtml(page)}#comment-${to}">${escapeHtml(entry.title)}</a></p>${quote}${formHtml}`,
      });
      site.http.send(req, res, { ...answer, cache: { private: true } });
    },
  });
}
