import { z } from "zod";
import { HttpError } from "#kernel";
import { contentPath, allowedTransitions, statusOf } from "../../write/page-source.js";
import { checked, fieldsChange } from "../../write/save-page.js";
import { answers } from "../answers.js";
import { note, notFound, writeOptions, type RouteParts } from "../route-parts.js";

const transitionBody = z.object({
  path: z.string().min(1).max(1024),
  to: z.enum(["draft", "in_review", "published", "archived"]),
});

/** Editorial status of a page and its transitions. */
export function workflowRoutes(parts: RouteParts): void {
  const { admin, site } = parts;
  const content = site.use("content");
  admin.route({
    method: "get",
    path: "/workflow/status/*path",
    permission: "pages.read",
    summary: "Status of a page and its allowed transitions",
    responses: answers.workflow,
    handler: (req, res, { params }) => {
      const sourcePath = contentPath(params["path"] ?? "");
      const entry = content.generation().bySource.get(sourcePath);
      if (entry === undefined) throw notFound();
      const status = statusOf(entry);
      const allowed = allowedTransitions(status);
      return site.http.json(req, res, { sourcePath, status, allowedTransitions: allowed });
    },
  });
  admin.route({
    method: "post",
    path: "/workflow/transition",
    permission: "pages.update",
    summary: "Move a page to another status; to and from published needs pages.publish",
    // `to` is a status.
    paths: ({ body }) => [body.path],
    responses: answers.transition,
    body: { as: "json", limit: 16_384, schema: transitionBody },
    handler: async (req, res, { body, identity }) => {
      const path = contentPath(body.path);
      const entry = content.generation().bySource.get(path);
      if (entry === undefined) throw notFound();
      const from = statusOf(entry);
      const { to } = body;
      assertTransition(from, to);
      const patch = content.releasePatch(entry.frontmatter, to);
      const options = { ...writeOptions(identity), message: `${from} → ${to}` };
      const change = fieldsChange(path, patch, entry.hash);
      const [result] = await content.apply([change], options);
      if (result !== undefined && checked(result).status === "error") {
        throw new HttpError(409, "the page was changed in the meantime", {
          code: "ERR_ADMIN_CONFLICT",
        });
      }
      const target = { type: "page", id: path };
      note(parts, req, { event: "page.workflow", actor: identity, target, detail: { from, to } });
      await site.http.json(req, res, { transitioned: true, sourcePath: path, from, to });
    },
  });
}

function assertTransition(from: ReturnType<typeof statusOf>, to: typeof from): void {
  const allowed = allowedTransitions(from);
  if (allowed.includes(to)) return;
  const message = `a page cannot change from ${from} to ${to}; allowed: ${allowed.join(", ")}`;
  throw new HttpError(400, message, { code: "ERR_ADMIN_TRANSITION" });
}
