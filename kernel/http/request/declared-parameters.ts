import { ZodObject } from "zod";
import type { DependsOn, RouteDefinition } from "../../contracts.js";

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
