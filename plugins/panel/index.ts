/**
 * The panel: an application in the browser for writers and administrators. It uses the admin API alone.
 * Uses: admin, markdown.
 * Opens: panelExtensions.
 * Adds: pageHead.
 */
import { definePlugin } from "#kernel";
import type {} from "../markdown/contract.js";
import type {} from "../render/contract.js";
import type {} from "./contract.js";
import { panelErrors } from "./errors.js";

export default definePlugin({
  name: "panel",
  version: "1.0.0",
  onlyServing: true,
  description: "Editor and administration in the browser",
  requires: ["admin"],
  after: ["render", "markdown"],
  errors: panelErrors,
  async setup(site) {
    const { setUpPanel } = await import("./set-up.js");
    setUpPanel(site);
  },
});
