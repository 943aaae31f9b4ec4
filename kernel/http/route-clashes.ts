/** Decides whether paths clash: two of different plugins for one path are refused, unless one says `override`. */
import { SiteError } from "#lib/errors";
import { formatRoute, isBelowPath } from "#lib/http";
import type { OwnedRoute } from "./routes.js";

/** A router of the phase `routes`. */
export interface MountedRouter {
  readonly prefix: string;
  readonly plugin: string;
  readonly override: boolean;
  /** Its stack shows the call of `http.router`, for messages. */
  readonly mounted: Error;
}

/**
 * The other plugins with routes below the path of a router, or with a router mounted before it above, at or below
 * that path.
 * @throws ERR_ROUTE_DUPLICATE when neither it nor the other one says `override`.
 */
export function replacedOwners(
  router: MountedRouter,
  earlier: readonly MountedRouter[],
  routes: readonly OwnedRoute[],
): readonly string[] {
  const { prefix, plugin, override } = router;
  const others = [
    ...earlier
      .filter((other) => isBelowPath(other.prefix, prefix) || isBelowPath(prefix, other.prefix))
      .map((other) => ({ ...other, shown: `a router at ${other.prefix}` })),
    ...routes
      .filter(({ path }) => isBelowPath(path, prefix))
      .map((route) => ({ ...route, shown: formatRoute(route) })),
  ].filter((other) => other.plugin !== plugin);
  const refused = override ? [] : others.filter((other) => other.override !== true);
  if (refused.length > 0) throw takenPrefix(router, refused);
  return [...new Set(others.map((other) => other.plugin))];
}

const TAKEN = "change one of the paths, or set `override: true` where one replaces the other";

/** The error of a second route that matches the same requests. */
export function takenRoute(first: OwnedRoute, second: OwnedRoute): SiteError {
  const [one, other] = [formatRoute(first), formatRoute(second)];
  const as = one === other ? "" : ` as ${one}`;
  const message =
    first.plugin === second.plugin
      ? `plugin "${second.plugin}" declares ${other} twice${as && `, first${as}`}`
      : `plugin "${second.plugin}" declares ${other}, which plugin "${first.plugin}" has declared${as}`;
  return new SiteError("ERR_ROUTE_DUPLICATE", message, { fix: TAKEN });
}

/** Plugins and routes that a message names; the others are counted. */
const NAMED = 3;

interface ClaimedPath {
  readonly plugin: string;
  /** The route or router as a message names it. */
  readonly shown: string;
}

function takenPrefix(
  { prefix, plugin, mounted }: MountedRouter,
  others: readonly ClaimedPath[],
): SiteError {
  const owners = [...new Set(others.map((other) => `"${other.plugin}"`))];
  const declare = owners.length === 1 ? "plugin %s declares" : "plugins %s declare";
  const who = declare.replace("%s", () => counted(owners));
  const what = counted(others.map(({ shown }) => shown));
  const message = `plugin "${plugin}" mounts a router at ${prefix}, where ${who} ${what}`;
  return new SiteError("ERR_ROUTE_DUPLICATE", message, { cause: mounted, fix: TAKEN });
}

function counted(names: readonly string[]): string {
  const rest = names.length - NAMED;
  const named = names.slice(0, NAMED).join(", ");
  return rest > 0 ? `${named} and ${rest} more` : named;
}
