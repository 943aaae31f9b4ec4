import { assertEverywhere, mayAt } from "../../accounts/rights.js";
import type { AdminIdentity } from "../../contract.js";
import { SavedViews, type SavedView } from "../../saved-views.js";
import { arrangingApi } from "../../schemas/arranging.js";
import { note, notFound, type AdminContext } from "../admin-context.js";

const LIMIT = 16_384;

/** Saved views of the list of pages: one's own, and those that are shared with all accounts. */
export function savedViewRoutes(context: AdminContext): void {
  const { admin, site } = context;
  const views = new SavedViews(site);
  admin.route({
    method: "get",
    path: "/views",
    permission: "pages.read",
    paths: "own",
    summary: "Saved views of the list of pages: one's own and the shared ones",
    responses: arrangingApi["GET /views"].responses,
    handler: async (req, res, { identity }) => {
      const items = (await views.listFor(identity.id)).map((view) => shown(view, identity));
      await site.http.json(req, res, { items, total: items.length });
    },
  });
  admin.route({
    method: "post",
    path: "/views",
    permission: "pages.read",
    paths: "own",
    summary: "Save a view of the list of pages; sharing it needs pages.publish",
    responses: arrangingApi["POST /views"].responses,
    body: { as: "json", limit: LIMIT, schema: arrangingApi["POST /views"].body },
    handler: async (req, res, { body, identity }) => {
      const { id, name } = identity;
      if (body.isShared) assertEverywhere(identity, "pages.publish");
      const view = await views.create({ ...body, owner: { id, name } });
      const target = { type: "view", id: view.id };
      const detail = { isShared: view.isShared };
      note(context, req, { event: "view.save", actor: identity, target, detail });
      await site.http.json(req, res, shown(view, identity), { status: 201 });
    },
  });
  admin.route({
    method: "put",
    path: "/views/:id",
    permission: "pages.read",
    paths: "own",
    summary: "Change a saved view: one's own, and with pages.publish a shared one",
    responses: arrangingApi["PUT /views/:id"].responses,
    body: { as: "json", limit: LIMIT, schema: arrangingApi["PUT /views/:id"].body },
    handler: async (req, res, { params, body, identity }) => {
      const view = await find(views, params["id"] ?? "", identity);
      if (view.isShared || body.isShared) assertEverywhere(identity, "pages.publish");
      const changed = { ...view, ...body };
      await views.replace(changed);
      const target = { type: "view", id: view.id };
      const detail = { isShared: changed.isShared };
      note(context, req, { event: "view.save", actor: identity, target, detail });
      await site.http.json(req, res, shown(changed, identity));
    },
  });
  admin.route({
    method: "delete",
    path: "/views/:id",
    permission: "pages.read",
    paths: "own",
    summary: "Delete a saved view: one's own, and with pages.publish a shared one",
    responses: arrangingApi["DELETE /views/:id"].responses,
    handler: async (req, res, { params, identity }) => {
      const view = await find(views, params["id"] ?? "", identity);
      if (view.isShared) assertEverywhere(identity, "pages.publish");
      await views.remove(view.id);
      const target = { type: "view", id: view.id };
      const detail = { isShared: view.isShared };
      note(context, req, { event: "view.delete", actor: identity, target, detail });
      await site.http.json(req, res, { deleted: true, id: view.id });
    },
  });
}

/** A view that the identity sees. @throws HttpError 404, also for the own view of another account. */
async function find(views: SavedViews, id: string, identity: AdminIdentity): Promise<SavedView> {
  const view = await views.get(id);
  if (view === null || (!view.isShared && view.owner.id !== identity.id)) throw notFound();
  return view;
}

function shown(view: SavedView, identity: AdminIdentity) {
  return { ...view, mayChange: !view.isShared || mayAt(identity, "pages.publish", null) };
}
