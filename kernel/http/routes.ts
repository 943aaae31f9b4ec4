import {
  Router,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from "express";
import { HttpError } from "#lib/errors";
import { parseWith } from "#lib/schema";
import { bodyParser } from "#lib/http";
import type { Authorization, Handler, RouteDefinition } from "../contracts.js";
import { declaredParameters } from "./request/drop-parameters.js";
import { cspAdder } from "./response/csp.js";

/** A declared route and its plugin. */
export type OwnedRoute = RouteDefinition & { plugin: string };

/**
 * Every declared route; a known path with another method is 405 with `Allow`. Paths without parameters
 * are looked up. The others are grouped by their first two segments, so that a request is matched
 * against few of them.
 */
export function routesHandler(
  routes: readonly OwnedRoute[],
  authorize: Authorization["authorize"],
): RequestHandler {
  const plain = plainReads(routes, authorize);
  const groups = groupRoutes(routes);
  const routers = new Map([...groups].map(([key, group]) => [key, lazyRouter(group, authorize)]));
  // Hardly any page path starts like a route.
  const firsts = new Set(routes.map(({ path }) => firstSegment(path)));
  const hasOpen = groups.has("*");
  return (req, res, next) => {
    const isRead = req.method === "GET" || req.method === "HEAD";
    const read = isRead ? plain.get(readPath(req)) : undefined;
    if (read) {
      req.params = {};
      return read(req, res, next);
    }
    if (!hasOpen && !firsts.has(firstSegment(req.path))) return next();
    const candidates = requestKeys(req.path).flatMap((key) => routers.get(key)?.() ?? []);
    tryEach(candidates, { req, res, next });
  };
}

/** Handlers of `get` routes without parameters that no earlier route could match. */
function plainReads(
  routes: readonly OwnedRoute[],
  authorize: Authorization["authorize"],
): ReadonlyMap<string, Handler> {
  const plain = new Map<string, Handler>();
  const open = new Set<string>();
  for (const route of routes) {
    const key = routeKey(route.path);
    if (PARAMETER.test(route.path)) open.add(key);
    else if (route.method === "get" && !route.body && !open.has(key) && !plain.has(route.path)) {
      plain.set(route.path, routeHandler(route, authorize));
    }
  }
  return plain;
}

/** The path as sent: the routers match escaped paths and fragments. */
function readPath({ url }: Request): string {
  const mark = url.indexOf("?");
  return mark === -1 ? url : url.slice(0, mark);
}

interface Exchange {
  req: Request;
  res: Response;
  next: NextFunction;
}

function tryEach(routers: readonly Router[], { req, res, next }: Exchange): void {
  const [first, ...rest] = routers;
  if (first === undefined) next();
  else if (rest.length === 0) void first(req, res, next);
  else {
    const onward = (error?: unknown): void =>
      error === undefined ? tryEach(rest, { req, res, next }) : next(error);
    void first(req, res, onward);
  }
}

const OPEN = /[:*{]/;
const PARAMETER = /[:*{}()[\]?+!\\]/;

function routeKey(path: string): string {
  const [, first = "", second = ""] = path.split("/");
  if (OPEN.test(first)) return "*";
  return OPEN.test(second) ? `${first}/*` : `${first}/${second}`;
}

function firstSegment(path: string): string {
  const end = path.indexOf("/", 1);
  return end === -1 ? path : path.slice(0, end);
}

/** Most specific first: `/api/pages` before `/api/:name`. */
function requestKeys(path: string): string[] {
  const [, first = "", second = ""] = path.split("/", 3);
  return [`${first}/${second}`, `${first}/*`, "*"];
}

function groupRoutes(routes: readonly OwnedRoute[]): Map<string, OwnedRoute[]> {
  const groups = new Map<string, OwnedRoute[]>();
  for (const route of routes) {
    const key = routeKey(route.path);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [route]);
    else group.push(route);
  }
  return groups;
}

/**
 * The router of some routes, made for the first request that could match: a start would otherwise
 * compile hundreds of paths.
 */
function lazyRouter(
  routes: readonly OwnedRoute[],
  authorize: Authorization["authorize"],
): () => Router {
  let router: Router | null = null;
  return () => (router ??= createRouter(routes, authorize));
}

function createRouter(
  routes: readonly OwnedRoute[],
  authorize: Authorization["authorize"],
): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const route of routes) {
    const parsers = route.body ? [bodyParser(route.body)] : [];
    router[route.method](route.path, ...parsers, routeHandler(route, authorize));
  }
  for (const [path, methods] of methodsByPath(routes)) {
    router.all(path, () => {
      const allow = [...methods].join(", ");
      throw new HttpError(405, `allowed methods: ${allow}`, { headers: { Allow: allow } });
    });
  }
  return router;
}

const NO_QUERY: Readonly<Record<string, unknown>> = Object.freeze({});

function routeHandler(route: OwnedRoute, authorize: Authorization["authorize"]) {
  const { permission } = route;
  const handle = openHandler(route);
  if (permission === undefined || permission === "none") return handle;
  return async (req: Request, res: Response, next: NextFunction): Promise<unknown> => {
    await authorize(req, permission);
    const { ctx } = req;
    ctx.isProtected = true;
    return handle(req, res, next);
  };
}

function openHandler(route: OwnedRoute) {
  const dependsOn = declaredParameters(route);
  const addCsp = route.csp && cspAdder(route.csp);
  const { plugin, path } = route;
  const handledBy = { plugin, route: path };
  return (req: Request, res: Response, _next: NextFunction): unknown => {
    const { ctx } = req;
    ctx.route = path;
    ctx.handledBy = handledBy;
    addCsp?.(req);
    if (dependsOn) ctx.dependsOn = dependsOn;
    const parameters = req.ctx.search === "" ? NO_QUERY : req.query;
    const query = route.query ? parseWith(route.query, parameters) : parameters;
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
