import { HttpError } from "#kernel";
import { workflowApi } from "../../schemas/workflow.js";
import type { DraftPublisher } from "../../working-copies/draft-publisher.js";
import { PlannedChanges } from "../../working-copies/planned-changes.js";
import type { WorkingCopies } from "../../working-copies/working-copies.js";
import { contentPath } from "../../write/page-source.js";
import { note, notFound, type AdminContext } from "../admin-context.js";
import { copyRoute } from "./copy-route.js";
import { toRow } from "./reviews.js";

/** Planning the publication of changes of a live page, and taking a plan back. */
export function plannedChangeRoutes(
  context: AdminContext,
  copies: WorkingCopies,
  publisher: DraftPublisher,
): void {
  const { admin, site, identities } = context;
  const { clock } = site.runtime;
  const planned = new PlannedChanges({
    site,
    copies,
    publisher,
    identities,
    onPublished: (path, actor) =>
      admin.audit({ event: "draft.publish", actor, target: { type: "page", id: path } }),
  });
  copyRoute(context, {
    method: "post",
    path: "/drafts/*path/schedule",
    permission: "pages.publish",
    summary: "Publish a working copy of a live page at a future time",
    responses: workflowApi["POST /drafts/*path/schedule"].responses,
    body: { as: "json", limit: 16_384, schema: workflowApi["POST /drafts/*path/schedule"].body },
    handler: async (req, res, { params, body: { scheduledAt }, identity }) => {
      const path = contentPath(params["path"] ?? "");
      await copies.get(path);
      const content = site.use("content");
      const entry = content.generation().bySource.get(path);
      if (entry === undefined || !content.isReleased(entry, clock.now())) {
        throw refused("the page is not public: schedule its publication instead");
      }
      if (scheduledAt <= clock.now()) {
        throw refused("scheduledAt is in the past: use a future time");
      }
      if (identity.id.startsWith("token:")) {
        throw refused(
          "the token has no account whose rights apply at that time: use the token of an account",
        );
      }
      const workingCopy = await planned.plan(path, scheduledAt, identity);
      const detail = { action: "changes", scheduledAt: new Date(scheduledAt).toISOString() };
      const target = { type: "page", id: path };
      note(context, req, { event: "page.schedule", actor: identity, target, detail });
      await site.http.json(req, res, toRow(context, workingCopy), { status: 201 });
    },
  });
  copyRoute(context, {
    method: "delete",
    path: "/drafts/*path/schedule",
    permission: "pages.publish",
    summary: "Take back the planned publication of a working copy; its text stays",
    responses: workflowApi["DELETE /drafts/*path/schedule"].responses,
    handler: async (req, res, { params, identity }) => {
      const path = contentPath(params["path"] ?? "");
      if ((await copies.get(path)).plan === null) throw notFound("these changes are not planned");
      const workingCopy = await copies.plan(path, null);
      const target = { type: "page", id: path };
      const detail = { action: "changes", dropped: true };
      note(context, req, { event: "page.schedule", actor: identity, target, detail });
      await site.http.json(req, res, toRow(context, workingCopy));
    },
  });
}

function refused(message: string): HttpError {
  return new HttpError(400, message, { code: "ERR_ADMIN_SCHEDULE" });
}
