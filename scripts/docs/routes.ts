import { z } from "zod";
import type { RouteDefinition } from "#kernel";
import { grouped } from "./grouped.js";
import type { DocsSite } from "./docs-site.js";
import { schemaRows } from "./schema-rows.js";
import { code, table } from "./table.js";

type Route = RouteDefinition & { plugin: string };

/** Every documented route with its parameters, by plugin. */
export function routeReference({ site }: DocsSite): string {
  const shown = site.http.routes.filter(({ hidden, tag }) => hidden !== true && tag !== "admin");
  const groups = [...grouped(shown, ({ plugin }) => plugin)].sort(([a], [b]) => (a < b ? -1 : 1));
  return groups
    .map(([plugin, routes]) => `### Plugin ${plugin}\n\n${routes.map(toSection).join("\n\n")}`)
    .join("\n\n");
}

function toSection(route: Route): string {
  const address = route.path.replace(/[:*](\w+)/g, "{$1}");
  const parts = [
    `#### ${route.method.toUpperCase()} ${address}`,
    `${route.summary}. Answers ${statusesOf(route)}.`,
    bodyOf(route),
    parametersOf(route),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

function statusesOf({ responses }: Route): string {
  const statuses = Object.keys(responses ?? { 200: null }).map(code);
  return new Intl.ListFormat("en", { type: "disjunction" }).format(statuses);
}

function bodyOf({ body }: Route): string {
  return body === undefined
    ? ""
    : `Takes a ${body.as} body of at most ${body.limit.toLocaleString("en")} bytes.`;
}

function parametersOf({ query }: Route): string {
  if (query === undefined) return "";
  const json = z.toJSONSchema(query, { io: "input", unrepresentable: "any" });
  const rows = schemaRows({ ...json }).map(({ key, type, default: fallback, description }) => [
    code(key),
    // Every parameter is text; list the accepted values.
    type === "text" ? "" : type,
    fallback === null ? "" : code(fallback),
    description,
  ]);
  return rows.length === 0 ? "" : table(["Parameter", "One of", "Default", "What it does"], rows);
}
