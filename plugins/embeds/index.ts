/**
 * Embeds videos and posts of allowed providers in pages: `{{ embed "https://…" }}`, or an address
 * alone on a line.
 * Uses: markdown, outbound.
 * Adds: cspSources.
 */
import { definePlugin } from "#kernel";
import type {} from "../security/contract.js";
import { settings } from "./settings.js";

export default definePlugin({
  name: "embeds",
  version: "1.0.0",
  description: "Embeds of allowed providers",
  requires: ["markdown", "outbound"],
  after: ["security"],
  settings,
  async setup(site) {
    const { setUpEmbeds } = await import("./set-up.js");
    setUpEmbeds(site);
  },
});
