import { z } from "zod";
import type { SiteContext } from "#kernel";
import type { OpenApiService } from "./contract.js";

/** Nothing but the declarations: the answer is true until the site starts anew. */
const READS: ReadonlySet<string> = new Set(["config"]);
const documentSchema = z
  .looseObject({ openapi: z.literal("3.1.0"), paths: z.record(z.string(), z.unknown()) })
  .meta({ id: "OpenApiDocument", description: "An OpenAPI 3.1 document" });

/** `/_site/openapi.json` and `/_site/docs` for everybody; the admin API only to those signed in. */
export function openApiRoutes(site: SiteContext, document: OpenApiService["document"]): void {
  const { http } = site;
  http.jsonPrefix("/_site");
  http.route({
    method: "get",
    path: "/_site/openapi.json",
    parameters: () => false,
    summary: "This document",
    responses: { 200: documentSchema },
    handler: (req, res) => http.json(req, res, document("public"), { reads: READS }),
  });
  http.route({
    method: "get",
    path: "/_site/docs",
    summary: "The document as a page",
    hidden: true,
    handler: async (req, res) => {
      const { docsPage } = await import("./docs-page.js");
      const body = docsPage(document("public"), { nonce: req.ctx.nonce() });
      http.send(req, res, { type: "text/html; charset=utf-8", body });
    },
  });
  site.find("admin")?.route({
    method: "get",
    path: "/openapi.json",
    permission: "any",
    summary: "The description of the whole API, this one included",
    responses: { 200: documentSchema },
    handler: (req, res) => http.json(req, res, document("admin"), { private: true }),
  });
}
