import type { EdgeStep } from "#kernel";
import { dropParameters, type InternalContext } from "#kernel/internal";
import { isRead } from "./routes/request-kind.js";

/**
 * Removes parameters that only track from requests: no page, cache key or link of the site depends on them.
 * Redirects pass them on. Skips the API: its parameters are declared, and a record's field may have such a name.
 */
export function ignoreTracking(names: readonly string[]): EdgeStep {
  return (req) => {
    const ctx: InternalContext = req.ctx;
    if (ctx.search === "" || !isRead(req) || ctx.path.startsWith("/api/")) return;
    ctx.passesOn = dropParameters(req, names);
  };
}
