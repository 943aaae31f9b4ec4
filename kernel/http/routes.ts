import { Router, type NextFunction, type Request, type Response } from "express";
import type { RouteDefinition } from "../contracts.js";
import { HttpError } from "../errors.js";
import { parseWith } from "../parse-with.js";
import { bodyParser } from "./body.js";

/** A declared route and whose it is. */
export type OwnedRoute = RouteDefinition & { plugin: string };

/** One router of every declared route; a known path with another method is 405 with `Allow`. */
export function routesRouter(routes: readonly OwnedRoute[]): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const route of routes) {
    const parsers = route.body ? [bodyParser(route.body)] : [];
    router[route.method](route.path, ...parsers, routeHandler(route));
  }
  for (const [path, methods] of methodsByPath(routes)) {
    router.all(path, () => {
      const allow = [...methods].join(", ");
      throw new HttpError(405, `allowed methods: ${allow}`, { headers: { Allow: allow } });
    });
  }
  return router;
}

function routeHandler(route: OwnedRoute) {
  return (req: Request, res: Response, _next: NextFunction): unknown => {
    const query = route.query ? parseWith(route.query, req.query) : req.query;
    const body = route.body?.schema ? parseWith(route.body.schema, req.body ?? {}) : req.body;
    return route.handler(req, res, { query, body, params: pathParameters(req) });
  };
}

/** Path parameters as strings: a wildcard's segments joined by `/`. */
function pathParameters(req: Request): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (const [name, value] of Object.entries(req.params)) {
    parameters[name] = Array.isArray(value) ? value.join("/") : String(value);
  }
  return parameters;
}

function methodsByPath(routes: readonly OwnedRoute[]): Map<string, Set<string>> {
  const byPath = new Map<string, Set<string>>();
  for (const { path, method } of routes) {
    const methods = byPath.get(path) ?? new Set<string>();
    methods.add(method.toUpperCase());
    if (method === "get") methods.add("HEAD");
    byPath.set(path, methods);
  }
  return byPath;
}
