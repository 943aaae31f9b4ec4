import { ZodObject } from "zod";
import type { DependsOn, RouteDefinition } from "../contracts.js";

/**
 * Which query parameters the answers of a route depend on: those it names, else those of its schema
 * when that keeps no others; undefined when it cannot be told.
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
