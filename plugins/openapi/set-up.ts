import { SitePath, type SiteContext } from "#kernel";
import { readPackage } from "#lib/packages";
import type { Audience, OpenApiDocument } from "./contract.js";
import { createDocument } from "./document.js";
import { openApiRoutes } from "./routes.js";
import { SiteSchemas } from "./site-schemas.js";

/** Registers what the plugin does in a site that starts. */
export function setUpOpenapi(site: SiteContext): void {
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
}
