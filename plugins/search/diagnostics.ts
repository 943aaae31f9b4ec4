import { nearest } from "#lib/values";
import type { Diagnostic, InspectedSite } from "#kernel/internal";
import type { Settings, SettingsProblem } from "#kernel";
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

const BUILT_IN = "builtin";
/** The first-party plugin of this name provides the engine with the following name. */
const PREFIX = "search-";

/**
 * A configured engine that no first-party plugin provides; the site's own plugins may provide any.
 */
export function inspectEngine(
  { system }: Settings,
  { plugins, hasOwnPlugins }: InspectedSite,
): SettingsProblem[] {
  const { engine } = system.search;
  const brought = plugins
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => name.slice(PREFIX.length));
  const known = [BUILT_IN, ...brought];
  if (hasOwnPlugins || known.includes(engine)) return [];
  const near = nearest(engine, known);
  return [
    {
      file: "system",
      key: "search.engine",
      received: engine,
      expected: `one of the engines ${known.join(", ")}`,
      fix: near === null ? "select the plugin that brings it" : `did you mean "${near}"?`,
    },
  ];
}
