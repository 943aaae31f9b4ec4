/**
 * Describes the API: an OpenAPI 3.1 document generated from the declared routes, and a page that
 * shows it.
 * Provides: openapi
 * Uses: admin, content, flex
 */
import { definePlugin, SitePath } from "#kernel";
import { readPackage } from "#lib/packages";
import type { Audience, OpenApiDocument } from "./contract.js";
import { createDocument } from "./document.js";
import { openApiRoutes } from "./routes.js";
import { SiteSchemas } from "./site-schemas.js";

export default definePlugin({
  name: "openapi",
  version: "1.0.0",
  description: "OpenAPI 3.1 description of the API",
  after: ["admin", "content", "flex"],
  setup(site) {
    const documents = new Map<Audience, OpenApiDocument>();
    const schemas = new SiteSchemas(site);
    const document = (audience: Audience): OpenApiDocument => {
      if (schemas.hasChanged()) documents.clear();
      const cached = documents.get(audience);
      if (cached !== undefined) return cached;
      const { routes, described } = site.http;
      const fresh = createDocument([...routes, ...described], audience, {
        title: site.settings.site.title,
        version: readPackage().version,
        base: new SitePath(site.settings.site.url).prefix,
        adminPath: site.use("admin", { optional: true })?.path ?? "",
        schemas: schemas.all(),
      });
      documents.set(audience, fresh);
      return fresh;
    };
    site.provide("openapi", { document });
    openApiRoutes(site, document);
  },
});
