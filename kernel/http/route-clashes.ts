/**
 * Which paths routes and routers may have. Two of different plugins for one path are refused, unless one of them
 * says `override`.
 */
import { Router } from "express";
import { SiteError } from "#lib/errors";
import { shownValue } from "#lib/values";
import type { OwnedRoute } from "./routes.js";

/** A router of the phase `routes`. */
export interface MountedRouter {
  readonly prefix: string;
  readonly plugin: string;
  readonly override: boolean;
  /** Where `http.router` was called, for messages. */
  readonly mounted: Error;
}

function isBelow(path: string, prefix: string): boolean {
  return prefix === "/" || path === prefix || path.startsWith(`${prefix}/`);
}

type Address = Pick<OwnedRoute, "method" | "path">;

/** Equal for routes that match the same requests: `GET /api/flex/:`, whatever their parameters are called. */
export function matchKey(route: Address): string {
  return shownRoute(route).replaceAll(/(?<=\/)([:*])\w+/g, "$1");
}

/** `GET /api/flex/:type`. */
export function shownRoute({ method, path }: Address): string {
  return `${method.toUpperCase()} ${path}`;
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
      .filter((other) => isBelow(other.prefix, prefix) || isBelow(prefix, other.prefix))
      .map((other) => ({ ...other, shown: `a router at ${other.prefix}` })),
    ...routes
      .filter(({ path }) => isBelow(path, prefix))
      .map((route) => ({ ...route, shown: shownRoute(route) })),
  ].filter((other) => other.plugin !== plugin);
  const refused = override ? [] : others.filter((other) => other.override !== true);
  if (refused.length > 0) throw takenPrefix(router, refused);
  return [...new Set(others.map((other) => other.plugin))];
}

const TAKEN = "change one of the paths, or set `override: true` where one replaces the other";

/** The error of a second route that matches the same requests. */
export function takenRoute(first: OwnedRoute, second: OwnedRoute): SiteError {
  const [one, other] = [shownRoute(first), shownRoute(second)];
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

/** Segments that are names, `:parameter` or `*wildcard`: the router accepts such a path. */
const SIMPLE_PATH = /^(?:\/(?:[\w.~@-]*|[:*][A-Za-z_]\w*))+$/;

/** Why a route cannot have this path; null: it can. */
export function pathProblem(path: unknown): string | null {
  if (typeof path !== "string")
    return `expected a path such as /api/orders, received ${shownValue(path)}`;
  if (SIMPLE_PATH.test(path)) return null;
  const received = `received ${shownValue(path)}`;
  if (!path.startsWith("/")) return `expected a path that begins with a slash, ${received}`;
  try {
    Router().get(path, () => undefined);
    return null;
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).split(";")[0];
    return `expected a path such as /api/orders/:id or /files/*path, ${received}: ${reason}`;
  }
}
