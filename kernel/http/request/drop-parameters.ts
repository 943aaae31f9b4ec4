import type { Request } from "express";
import { ZodObject } from "zod";
import { splitQuery } from "#lib/urls";
import type { DependsOn, RouteDefinition } from "../../contracts.js";

/**
 * Takes the parameters out of a request, as if its address had never had them. Returns what was removed, as
 * a query string.
 */
export function dropParameters(req: Request, names: readonly string[]): string {
  const { ctx } = req;
  const { rest, dropped } = splitQuery(ctx.search, names);
  if (rest === ctx.search) return "";
  const [path = ""] = req.url.split("?", 1);
  ctx.search = rest;
  req.url = rest === "" ? path : `${path}?${rest}`;
  req.originalUrl = req.url;
  return dropped;
}

/**
 * The query parameters that the response of a route depends on: the declared ones, else those of its
 * strict schema; undefined when unknown.
 */
export function declaredParameters({
  parameters,
  query,
}: Pick<RouteDefinition, "parameters" | "query">): DependsOn | undefined {
  if (parameters) return parameters;
  if (!(query instanceof ZodObject) || query.def.catchall !== undefined) return undefined;
  const names = new Set(Object.keys(query.shape));
  return (parameter) => names.has(parameter);
}
