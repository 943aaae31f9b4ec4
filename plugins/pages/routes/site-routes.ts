import { HttpError, type SiteContext } from "#kernel";
import type { NavItem } from "../../content/contract.js";
import { toListItem, toNavItem } from "../items.js";
import { navQuery, noParameter, taxonomyQuery } from "../params.js";
import { JsonBodies, sendCachedJson, trace, openView } from "./send.js";
import {
  momentProblems,
  navSchema,
  schemaSchema,
  siteSchema,
  taxonomiesSchema,
  taxonomySchema,
  taxonomyValueSchema,
} from "../schemas.js";

/** Routes of `/api/nav`, `/api/config/site` and the configuration's schema. */
export function siteRoutes(site: SiteContext): void {
  const { http } = site;
  const language = site.use("content").languages.parameters({ fallback: true });
  const bodies = new JsonBodies<readonly NavItem[]>(site.cache, "nav-json");
  http.route({
    method: "get",
    path: "/api/nav",
    summary: "Visible pages in tree order; tree=true nests them",
    query: navQuery(language),
    responses: { 200: navSchema, ...momentProblems },
    handler: (req, res, { query }) => {
      const view = openView(site, req);
      const source = query.tree === "true" ? view.navTree(query) : view.nav(query);
      // The source depends on the roles, so each set of roles has its own key.
      const key = JSON.stringify(["/api/nav", query, view.viewer.roles]);
      const from = { key, source, tags: view.reads };
      return sendCachedJson(
        site,
        { req, res, view },
        { bodies, from, toBody: (items) => ({ items: items.map(toNavItem) }) },
      );
    },
  });
  http.route({
    method: "get",
    path: "/api/config/site",
    parameters: noParameter,
    summary: "The public site configuration",
    responses: { 200: siteSchema },
    handler: (req, res) => {
      const { title, description, url, author, metadata, taxonomies } = site.settings.site;
      const body = { title, description, url, author: { name: author.name }, metadata, taxonomies };
      return http.json(req, res, body, { cache: { tags: new Set(["config"]) } });
    },
  });
  http.route({
    method: "get",
    path: "/_site/schema/config",
    parameters: noParameter,
    summary: "JSON Schema of site.yaml",
    responses: { 200: schemaSchema },
    // Built on demand: at startup it would cost as much as all other routes together.
    handler: (req, res) =>
      http.json(req, res, site.configFiles.schema("site"), {
        cache: { tags: new Set(["config"]) },
      }),
  });
}

/** Routes of `/api/taxonomy`. */
export function taxonomyRoutes(site: SiteContext): void {
  const { http } = site;
  const language = site.use("content").languages.parameters({ fallback: false });
  const taxonomyLanguage = taxonomyQuery(language);
  const assertName = (name: string): void => {
    if (!site.settings.site.taxonomies.includes(name)) throw new HttpError(404, "Not found");
  };
  http.route({
    method: "get",
    path: "/api/taxonomy",
    query: taxonomyLanguage,
    summary: "Every taxonomy with its values and their number of pages",
    responses: { 200: taxonomiesSchema, ...momentProblems },
    handler: (req, res, { query }) => {
      const view = openView(site, req);
      const all = view.taxonomies(query);
      const names = site.settings.site.taxonomies;
      const body = Object.fromEntries(names.map((name) => [name, termCounts(all, name)]));
      return http.json(req, res, body, trace(view));
    },
  });
  http.route({
    method: "get",
    path: "/api/taxonomy/:name",
    query: taxonomyLanguage,
    summary: "The values of a taxonomy",
    responses: { 200: taxonomySchema, ...momentProblems },
    handler: (req, res, { params, query }) => {
      const name = params["name"] ?? "";
      assertName(name);
      const view = openView(site, req);
      const values = termCounts(view.taxonomies(query), name);
      return http.json(req, res, { name, values }, trace(view));
    },
  });
  http.route({
    method: "get",
    path: "/api/taxonomy/:name/:value",
    query: taxonomyLanguage,
    summary: "The pages with a taxonomy value",
    responses: { 200: taxonomyValueSchema, ...momentProblems },
    handler: (req, res, { params, query }) => {
      const { name: taxonomy = "", value = "" } = params;
      assertName(taxonomy);
      const view = openView(site, req);
      const items = view.taxonomyPages(taxonomy, value, query).map(toListItem);
      return http.json(req, res, { taxonomy, value, items, total: items.length }, trace(view));
    },
  });
}

function termCounts(
  all: Readonly<Record<string, Readonly<Record<string, number>>>>,
  name: string,
): Readonly<Record<string, number>> {
  return Object.hasOwn(all, name) ? (all[name] ?? {}) : {};
}
