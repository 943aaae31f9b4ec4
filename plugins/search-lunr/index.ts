/**
 * Search through lunr: it finds the candidates, the shared scorer ranks them.
 * Uses: search.
 * Handles: onSearchEngineCreate.
 */
import { definePlugin } from "#kernel";
import type {} from "../search/contract.js";

export default definePlugin({
  name: "search-lunr",
  version: "1.0.0",
  requires: ["search"],
  hooks: {
    async onSearchEngineCreate({ data }) {
      const { createLunrEngine } = await import("./engines/lunr.js");
      data.register("lunr", createLunrEngine(data.tools));
    },
  },
});
