import type { SiteContext } from "#kernel";
import { runningFile } from "#lib/packages";
import { approvalRoutes } from "./approval-routes.js";
import { mcpRoute } from "./routes.js";
import { ShownWrites } from "./shown-writes.js";
import { Tools } from "./tools.js";

/** Registers what the plugin does in a site that starts. */
export function setUpMcp(site: SiteContext): void {
  if (!site.settings.site.mcp.enabled) return;
  const store = site.use("records");
  const tools = new Tools(site);
  const shown = new ShownWrites(store, site.runtime.clock);
  mcpRoute(site, tools, shown);
  if (site.use("admin", { optional: true }) === undefined) return;
  approvalRoutes(site, tools, shown);
  site.extensions.add("panelExtensions", { file: runningFile("plugins/mcp/client/panel.js") });
}
