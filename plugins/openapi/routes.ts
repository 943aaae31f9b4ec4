import { z } from "zod";
import type { AnswerCache, SiteContext } from "#kernel";
import type { OpenApiService } from "./contract.js";
import { DOCS_STYLE, DOCS_STYLE_PATH, docsPage } from "./docs-page.js";

/** Depends only on declarations, so the response stays valid until a restart. */
const CACHE: AnswerCache = { tags: new Set(["config"]) };
const AN_HOUR = "public, max-age=3600";
const FOREVER = "public, max-age=31536000, immutable";
const documentSchema = z
  .looseObject({ openapi: z.literal("3.1.0"), paths: z.record(z.string(), z.unknown()) })
  .meta({ id: "OpenApiDocument", description: "An OpenAPI 3.1 document" });

/** `/_site/openapi.json` and `/_site/docs` are public and omit the admin API unless signed in. */
export function openApiRoutes(site: SiteContext, document: OpenApiService["document"]): void {
  const { http } = site;
  http.jsonPrefix("/_site");
  http.route({
    method: "get",
    path: "/_site/openapi.json",
    parameters: () => false,
    summary: "This document",
    responses: { 200: documentSchema },
    handler: (req, res) => http.json(req, res, document("public"), { cache: CACHE }),
  });
  http.route({
    method: "get",
    path: "/_site/docs",
    parameters: () => false,
    summary: "The document as an HTML page",
    hidden: true,
    handler: (req, res) => {
      const body = docsPage(document("public"));
      http.send(req, res, { type: "text/html; charset=utf-8", body, cache: CACHE });
    },
  });
  http.route({
    method: "get",
    path: DOCS_STYLE_PATH,
    summary: "The style sheet of that page",
    hidden: true,
    handler: (req, res) => {
      const headers = { "Cache-Control": req.ctx.search === "" ? AN_HOUR : FOREVER };
      const type = "text/css; charset=utf-8";
      http.send(req, res, { type, body: DOCS_STYLE, headers, cache: CACHE });
    },
  });
  site.use("admin", { optional: true })?.route({
    method: "get",
    path: "/openapi.json",
    permission: "any",
    summary: "The description of the whole API, including the admin API",
    responses: { 200: documentSchema },
    handler: (req, res) => http.json(req, res, document("admin"), { cache: { private: true } }),
  });
}
