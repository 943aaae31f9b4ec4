/** Paths of routes and of routers, as Express matches them. */
import { createRequire } from "node:module";
import type { Router, RouterOptions } from "express";
import { shownValue, type ValueCheck } from "#lib/values";

/** Express is 60 files: read for a path that is not simple, and by a site that serves. */
const load = createRequire(import.meta.url) as (
  name: "express",
) => Pick<typeof import("express"), "Router">;

/** An Express router, for code that most commands load and that only requests call. */
export function createRouter(options: RouterOptions): Router {
  return load("express").Router(options);
}

/** Method and path of a route. */
export interface RouteAddress {
  readonly method: string;
  readonly path: string;
}

/** True for a path that a router at `prefix` matches. */
export function isBelowPath(path: string, prefix: string): boolean {
  return prefix === "/" || path === prefix || path.startsWith(`${prefix}/`);
}

/** A route as messages name it: `GET /api/flex/:type`. */
export function formatRoute({ method, path }: RouteAddress): string {
  return `${method.toUpperCase()} ${path}`;
}

/** Equal for routes that match the same requests: `GET /api/flex/:`, whatever their parameters are called. */
export function matchKey(route: RouteAddress): string {
  return formatRoute(route).replaceAll(/(?<=\/)([:*])\w+/g, "$1");
}

/** Segments that are names, `:parameter` or `*wildcard`: the router accepts such a path. */
const SIMPLE_PATH = /^(?:\/(?:[\w.~@-]*|[:*][A-Za-z_]\w*))+$/;

/** Checks that Express can match a path. */
export const expectRoutePath: ValueCheck = (path) => {
  if (typeof path !== "string")
    return `expected a path such as /api/orders, received ${shownValue(path)}`;
  if (SIMPLE_PATH.test(path)) return null;
  const received = `received ${shownValue(path)}`;
  if (!path.startsWith("/")) return `expected a path that begins with a slash, ${received}`;
  try {
    createRouter({}).get(path, () => undefined);
    return null;
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).split(";")[0];
    return `expected a path such as /api/orders/:id or /files/*path, ${received}: ${reason}`;
  }
};
