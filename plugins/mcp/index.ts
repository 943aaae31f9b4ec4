/**
 * A server of the Model Context Protocol: the declared routes as tools of agents, over HTTP and stdio.
 * Uses: records, openapi, admin, security.
 * Adds: panelExtensions.
 */
import { definePlugin, OptionalPackages } from "#kernel";
import type {} from "../panel/contract.js";
import { mcpErrors } from "./errors.js";
import { settings } from "./settings.js";

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
  async commands() {
    const { serveStdio } = await import("./commands.js");
    return [serveStdio];
  },
  async setup(site) {
    await packages.assertInstalled(site);
    const { setUpMcp } = await import("./set-up.js");
    setUpMcp(site);
  },
});
