/**
 * Serves a site so that it can be replaced: in one process, or by several that share its port; `site reload`.
 */
import { definePlugin } from "#kernel";
import type {} from "./contract.js";
import { workersErrors } from "./errors.js";

export default definePlugin({
  name: "workers",
  version: "1.0.0",
  errors: workersErrors,
  description: "Several processes for one site, and reloads of its configuration",
  async commands() {
    const { reloadCommand } = await import("./reload-command.js");
    return [reloadCommand];
  },
});
