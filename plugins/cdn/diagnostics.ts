import type { Diagnostic } from "#kernel/internal";
import type {} from "./contract.js";

/**
 * The credentials of the network are there: their absence is an error of the configuration. The network is
 * not asked, because every question to it empties something.
 */
export const cdnCheck: Diagnostic = {
  name: "cdn",
  run: ({ settings: { system } }) => {
    const { cdn } = system;
    if (cdn === undefined) return [];
    if (!cdn.enabled) return [{ level: "ok", seen: `purging at ${cdn.provider} is off` }];
    return [{ level: "ok", seen: `${cdn.provider} has credentials (not asked)` }];
  },
};
