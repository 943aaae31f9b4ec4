/**
 * A server of the Model Context Protocol: the declared routes as tools of agents, over HTTP and stdio.
 * Uses: openapi, admin, security.
 */
import { definePlugin } from "#kernel";
import { serveStdio } from "./commands.js";
import { Confirmations } from "./confirmations.js";
import { mcpErrors } from "./errors.js";
import { mcpRoute } from "./routes.js";
import { settings } from "./settings.js";
import { Tools } from "./tools.js";

export default definePlugin({
  name: "mcp",
  version: "1.0.0",
  description: "Server of the Model Context Protocol",
  onlyServing: true,
  requires: ["openapi", "security"],
  after: ["admin"],
  settings,
  errors: mcpErrors,
  commands: [serveStdio],
  setup(site) {
    if (!site.settings.site.mcp.enabled) return;
    const confirmations = new Confirmations(
      () => site.engines.slot("records").active,
      site.runtime.clock,
    );
    mcpRoute(site, { tools: new Tools(site), confirmations });
  },
});
