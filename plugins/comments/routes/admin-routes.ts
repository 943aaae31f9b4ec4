/** Comments in the admin API. */
import { z } from "zod";
import { HttpError, type SiteContext } from "#kernel";
import type { CommentsService } from "../contract.js";

const problem = z.object({ error: z.string() });
const status = z.enum(["pending", "approved", "spam", "trash"]);
const comment = z
  .object({
    id: z.string(),
    page: z.string(),
    at: z.number().describe("Unix ms"),
    status,
    name: z.string(),
    email: z.string(),
    user: z.string().nullable(),
    text: z.string(),
    lang: z.string(),
    parent: z.string().nullable(),
    html: z.string().describe("The text as it is shown"),
  })
  .meta({ id: "Comment", description: "A comment of a page" });
const number = z
  .string()
  .regex(/^\d{1,6}$/, { error: "a whole number" })
  .transform(Number);
const listQuery = z.object({
  status: status.optional(),
  limit: number.refine((value) => value >= 1 && value <= 200, { error: "1 to 200" }).optional(),
  offset: number.optional(),
});

/** Declares the routes; without the plugin admin there are none. */
export function adminRoutes(site: SiteContext, comments: CommentsService): void {
  const admin = site.use("admin", { optional: true });
  if (admin === undefined) return;
  admin.route({
    method: "get",
    path: "/comments",
    permission: "comments.moderate",
    summary: "Comments of all pages, the newest first",
    query: listQuery,
    responses: { 200: z.object({ items: z.array(comment), total: z.int() }) },
    handler: async (req, res, { query: { limit = 50, offset = 0, status: only } }) => {
      const page = await comments.list({ limit, offset, ...(only && { status: only }) });
      await site.http.json(req, res, page);
    },
  });
  admin.route({
    method: "post",
    path: "/comments/status",
    permission: "comments.moderate",
    summary: "Approve a comment, or move it to pending, spam or trash",
    body: {
      as: "json",
      limit: 16_384,
      schema: z.strictObject({ page: z.string().max(2_048), id: z.string().max(26), status }),
    },
    responses: { 200: z.object({ id: z.string(), status }), 404: problem },
    handler: async (req, res, { body, identity }) => {
      if ((await comments.setStatus(body.page, body.id, body.status)) === null) throw unknown();
      const target = { type: "comment", id: `${body.page}#${body.id}` };
      const detail = { status: body.status };
      admin.audit({ event: "comment.status", actor: identity, ip: req.ctx.ip, target, detail });
      await site.http.json(req, res, { id: body.id, status: body.status });
    },
  });
  admin.route({
    method: "delete",
    path: "/comments/:id",
    permission: "comments.moderate",
    summary: "Delete a comment and the replies to it",
    query: z.object({ page: z.string().max(2_048).describe("`page` of the comment") }),
    responses: { 200: z.object({ deleted: z.literal(true), id: z.string() }), 404: problem },
    handler: async (req, res, { params, query: { page }, identity }) => {
      const id = params["id"] ?? "";
      if (!(await comments.delete(page, id))) throw unknown();
      const target = { type: "comment", id: `${page}#${id}` };
      admin.audit({ event: "comment.delete", actor: identity, ip: req.ctx.ip, target });
      await site.http.json(req, res, { deleted: true, id });
    },
  });
}

function unknown(): HttpError {
  return new HttpError(404, "there is no such comment", { code: "ERR_COMMENTS_UNKNOWN" });
}
