import { Components } from "./components.js";
import type { Audience, JsonObject, OpenApiDocument } from "./contract.js";
import { pathTemplate, toOperation, type DescribedRoute } from "./operation.js";

/** Information in the document besides the routes. */
export interface DocumentInfo {
  title: string;
  /** Version of the product. */
  version: string;
  /** Path of `site.url`; empty without one. */
  base: string;
  /** `admin.path`. */
  adminPath: string;
  /** Schemas that routes do not name; those of routes win. */
  schemas?: Readonly<Record<string, JsonObject>>;
}

const ABOUT =
  `Generated from the declarations that validate requests. Every \`GET\` also supports \`HEAD\`, sends an \`ETag\` and
answers 304; errors are \`{ "error": "…" }\`.`.replaceAll("\n", " ");
const SIGNED_IN = ` Routes with \`x-permission\` belong to the admin API.`;

/** Creates the OpenAPI document of the routes. */
export function createDocument(
  routes: readonly DescribedRoute[],
  audience: Audience,
  info: DocumentInfo,
): OpenApiDocument {
  const components = new Components();
  const paths: OpenApiDocument["paths"] = {};
  const isForAdmins = audience === "admin";
  for (const route of routes) {
    if (route.hidden === true || (!isForAdmins && route.permission !== undefined)) continue;
    const template = pathTemplate(route.path);
    // The first declaration of a method wins; later ones are unreachable.
    (paths[template] ??= {})[route.method] ??= toOperation(route, components);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: info.title,
      version: info.version,
      description: isForAdmins ? ABOUT + SIGNED_IN : ABOUT,
    },
    servers: [{ url: info.base === "" ? "/" : info.base }],
    paths,
    components: {
      schemas: sorted({ ...info.schemas, ...components.schemas }),
      ...(isForAdmins && { securitySchemes: securitySchemes(info.adminPath) }),
    },
  };
}

function sorted<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function securitySchemes(adminPath: string) {
  return {
    token: { type: "http", scheme: "bearer", description: "A token of `tokens:create`" },
    session: {
      type: "apiKey",
      in: "cookie",
      name: "site_admin",
      description: `The session of \`POST ${adminPath}/login\`; requests that change something also need \`x-csrf-token\``,
    },
  };
}
