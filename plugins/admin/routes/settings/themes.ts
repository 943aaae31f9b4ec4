import { notFound, selected, type RouteParts } from "../route-parts.js";
import { settingsApi } from "../../schemas/settings.js";

/** Below `{admin.path}`: files of a theme that is not the active one, for its previews. */
export const THEME_FILES = "/theme-files";

/** Installed themes, and the files that a preview of one needs. They are chosen and set with `PATCH /settings/site`. */
export function themeRoutes({ admin, site }: RouteParts): void {
  admin.route({
    method: "get",
    path: "/themes",
    permission: "config.read",
    summary: "Themes that can be chosen, with their settings",
    responses: settingsApi["GET /themes"].responses,
    handler: async (req, res) => {
      const render = selected(site.use("render", { optional: true }), "render");
      const items = await render.installed();
      const home = site.use("content").view().page("/")?.sourcePath ?? null;
      const { theme: active } = render;
      await site.http.json(req, res, { items, total: items.length, active, home });
    },
  });
  admin.panel({
    method: "get",
    path: `${THEME_FILES}/:theme/static/*path`,
    permission: "config.update",
    summary: "A file of the theme that a preview shows",
    handler: (req, res, { params }) => {
      const { theme = "", path = "" } = params;
      const file = site.use("render", { optional: true })?.triedFile(theme, path) ?? null;
      if (file === null) throw notFound();
      site.http.send(req, res, { type: file.type, body: file.body, cache: { private: true } });
    },
  });
}
