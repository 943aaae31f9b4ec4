/**
 * The read API: pages, collections, taxonomy, navigation and the public configuration.
 * Uses: content, markdown, session.
 * Opens: pageIncludes.
 */
import { definePlugin } from "#kernel";
import { changesRoutes } from "./routes/changes-routes.js";
import { pageRoutes } from "./routes/list-routes.js";
import { siteRoutes, taxonomyRoutes } from "./routes/site-routes.js";

export default definePlugin({
  name: "pages",
  version: "1.0.0",
  requires: ["content", "markdown"],
  setup(site) {
    site.http.jsonPrefix("/api");
    site.http.jsonPrefix("/_site");
    pageRoutes(site);
    taxonomyRoutes(site);
    siteRoutes(site);
    changesRoutes(site);
  },
});
