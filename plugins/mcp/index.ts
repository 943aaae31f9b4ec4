/**
 * A server of the Model Context Protocol: the declared routes as tools of agents, over HTTP and stdio.
 * Uses: records, openapi, admin, security.
 * Adds: panelExtensions.
 */
import { definePlugin, OptionalPackages } from "#kernel";
import { runningFile } from "#lib/packages";
import type {} from "../panel/contract.js";
import { approvalRoutes } from "./approval-routes.js";
import { serveStdio } from "./commands.js";
import { mcpErrors } from "./errors.js";
import { mcpRoute } from "./routes.js";
import { settings } from "./settings.js";
import { ShownWrites } from "./shown-writes.js";
import { Tools } from "./tools.js";

const packages = new OptionalPackages({
  plugin: "mcp",
  packages: ["@modelcontextprotocol/sdk"],
  neededBy: ({ settings: { site } }) => (site.mcp.enabled ? "mcp.enabled: true" : null),
});

export default definePlugin({
  name: "mcp",
  version: "1.0.0",
  description: "Server of the Model Context Protocol",
  onlyServing: true,
  requires: ["openapi", "records", "security"],
  after: ["admin", "panel"],
  settings,
  errors: mcpErrors,
  diagnostics: [packages.diagnostic],
  commands: [serveStdio],
  async setup(site) {
    await packages.assertInstalled(site);
    if (!site.settings.site.mcp.enabled) return;
    const store = site.use("records");
    const tools = new Tools(site);
    const shown = new ShownWrites(store, site.runtime.clock);
    mcpRoute(site, tools, shown);
    if (site.use("admin", { optional: true }) === undefined) return;
    approvalRoutes(site, tools, shown);
    site.extensions.add("panelExtensions", { file: runningFile("plugins/mcp/client/panel.js") });
  },
});
