import type { SiteContext } from "#kernel";
import { changesRoutes } from "./routes/changes-routes.js";
import { pageRoutes } from "./routes/list-routes.js";
import { siteRoutes, taxonomyRoutes } from "./routes/site-routes.js";

/** Registers what the plugin does in a site that starts. */
export function setUpPages(site: SiteContext): void {
  site.http.jsonPrefix("/api");
  site.http.jsonPrefix("/_site");
  pageRoutes(site);
  taxonomyRoutes(site);
  siteRoutes(site);
  changesRoutes(site);
}
