import { Router } from "express";
import { shownValue } from "#lib/values";

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
