/**
 * Describes the API: an OpenAPI 3.1 document from the declarations of the routes, and a page that shows it.
 * Provides: openapi
 * Uses: admin
 */
import { definePlugin, readPackage } from "#kernel";
import type { Audience, OpenApiDocument } from "./contract.js";
import { createDocument } from "./document.js";
import { openApiRoutes } from "./routes.js";

export default definePlugin({
  name: "openapi",
  version: "1.0.0",
  description: "The API described: OpenAPI 3.1",
  after: ["admin"],
  setup(site) {
    const made = new Map<Audience, OpenApiDocument>();
    const document = (audience: Audience): OpenApiDocument => {
      const known = made.get(audience);
      if (known !== undefined) return known;
      const { routes, described } = site.http;
      const fresh = createDocument([...routes, ...described], audience, {
        title: site.settings.site.title,
        version: readPackage().version,
        adminPath: site.find("admin")?.path ?? "",
      });
      made.set(audience, fresh);
      return fresh;
    };
    site.provide("openapi", { document });
    openApiRoutes(site, document);
  },
});
