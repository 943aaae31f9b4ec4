import type { Request } from "express";
import { ZodObject } from "zod";
import { isRooted } from "../site-path.js";
import type { InternalContext } from "../response/internals.js";
import type { DependsOn, RouteDefinition } from "../../contracts.js";

/**
 * The query string without the parameters of these names; `utm_*` is every name that starts with `utm_`. The
 * rest is unchanged.
 */
export function withoutParameters(search: string, names: readonly string[]): string {
  if (search === "") return "";
  return search
    .split("&")
    .filter((pair) => !isNamed(nameOf(pair), names))
    .join("&");
}

function isNamed(parameter: string, names: readonly string[]): boolean {
  return names.some((name) =>
    name.endsWith("*") ? parameter.startsWith(name.slice(0, -1)) : parameter === name,
  );
}

/**
 * Takes the parameters out of a request, as if its address had never had them. Returns what was removed, as
 * a query string.
 */
export function dropParameters(req: Request, names: readonly string[]): string {
  const ctx: InternalContext = req.ctx;
  const rest = withoutParameters(ctx.search, names);
  if (rest === ctx.search) return "";
  const dropped = ctx.search.split("&").filter((pair) => isNamed(nameOf(pair), names));
  const [path = ""] = req.url.split("?", 1);
  ctx.search = rest;
  req.url = rest === "" ? path : `${path}?${rest}`;
  req.originalUrl = req.url;
  return dropped.join("&");
}

/** A redirect target with the parameters that the redirect passes on. */
export function passedOn(location: string, search: string): string {
  if (search === "" || !isRooted(location)) return location;
  const [path = "", ...hash] = location.split("#");
  const query = `${path.includes("?") ? "&" : "?"}${search}`;
  return path + query + (hash.length === 0 ? "" : `#${hash.join("#")}`);
}

/** The name of a parameter, without a key in brackets; as it is when it cannot be decoded. */
function nameOf(pair: string): string {
  const [raw = ""] = pair.split("=", 1);
  try {
    return decodeURIComponent(raw.replaceAll("+", " "));
  } catch {
    return raw;
  }
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
