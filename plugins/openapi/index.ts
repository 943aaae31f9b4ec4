/**
 * Describes the API: an OpenAPI 3.1 document generated from the declared routes, and a page that
 * shows it.
 * Provides: openapi
 * Uses: admin
 */
import { definePlugin } from "#kernel";
import { readPackage } from "#kernel/internal";
import type { Audience, OpenApiDocument } from "./contract.js";
import { createDocument } from "./document.js";
import { openApiRoutes } from "./routes.js";

export default definePlugin({
  name: "openapi",
  version: "1.0.0",
  description: "OpenAPI 3.1 description of the API",
  after: ["admin"],
  setup(site) {
    const documents = new Map<Audience, OpenApiDocument>();
    const document = (audience: Audience): OpenApiDocument => {
      const cached = documents.get(audience);
      if (cached !== undefined) return cached;
      const { routes, described } = site.http;
      const fresh = createDocument([...routes, ...described], audience, {
        title: site.settings.site.title,
        version: readPackage().version,
        adminPath: site.use("admin", { optional: true })?.path ?? "",
      });
      documents.set(audience, fresh);
      return fresh;
    };
    site.provide("openapi", { document });
    openApiRoutes(site, document);
  },
});
