/**
 * Describes the API: an OpenAPI 3.1 document generated from the declared routes, and a page that
 * shows it.
 * Provides: openapi
 * Uses: admin, content
 */
import { definePlugin } from "#kernel";
import { readPackage } from "#kernel/internal";
import type { EditorSchemas } from "../content/contract.js";
import type { Audience, JsonObject, OpenApiDocument } from "./contract.js";
import { createDocument } from "./document.js";
import { openApiRoutes } from "./routes.js";

/** Schemas by the names that they have in the document: `PostFrontmatter`, `HeroBlock`. */
function blueprintSchemas(
  schemas: ReturnType<EditorSchemas["all"]>,
): Readonly<Record<string, JsonObject>> {
  const nameOf = (key: string): string => {
    const name = key.replace(/^blocks\//, "");
    const pascal = name.replace(/(?:^|[-_])(\w)/g, (_all, first: string) => first.toUpperCase());
    return pascal + (key === name ? "Frontmatter" : "Block");
  };
  return Object.fromEntries(
    Object.entries(schemas).map(([key, of]) => {
      const template = key.startsWith("blocks/") ? {} : { "x-template": key };
      return [nameOf(key), { ...of, ...template }];
    }),
  );
}

export default definePlugin({
  name: "openapi",
  version: "1.0.0",
  description: "OpenAPI 3.1 description of the API",
  after: ["admin", "content"],
  setup(site) {
    const documents = new Map<Audience, OpenApiDocument>();
    let version = 0;
    const document = (audience: Audience): OpenApiDocument => {
      const content = site.use("content", { optional: true });
      if (content !== undefined && content.blueprints.version !== version) documents.clear();
      version = content?.blueprints.version ?? 0;
      const cached = documents.get(audience);
      if (cached !== undefined) return cached;
      const { routes, described } = site.http;
      const fresh = createDocument([...routes, ...described], audience, {
        title: site.settings.site.title,
        version: readPackage().version,
        adminPath: site.use("admin", { optional: true })?.path ?? "",
        schemas: blueprintSchemas(site.use("editorSchemas", { optional: true })?.all() ?? {}),
      });
      documents.set(audience, fresh);
      return fresh;
    };
    site.provide("openapi", { document });
    openApiRoutes(site, document);
  },
});
