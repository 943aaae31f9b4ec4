import type { Diagnostic } from "#kernel/internal";
import type {} from "./contract.js";

/** The index is built, and finds documents. */
export const searchCheck: Diagnostic = {
  name: "search",
  needsSite: true,
  run: async ({ site }) => {
    const { engine, status, documents, error } = (await site()).use("search").state();
    if (status !== "failing" && error === null) {
      return [{ level: "ok", seen: `${documents} documents in the index of ${engine}` }];
    }
    const fix = "read the log; for a store, check that it responds";
    return [{ level: "error", seen: `search in ${engine} fails: ${error ?? status}`, fix }];
  },
};
