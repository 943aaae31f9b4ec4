/** The API description as other plugins see it: a document generated from the routes. */

/** A JSON object in a document. */
export type JsonObject = Record<string, unknown>;

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument extends JsonObject {
  openapi: "3.1.0";
  info: { title: string; version: string; description: string };
  /** Path template to method to operation. */
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonObject>; [kind: string]: unknown };
}
/** One method of a path. */
export interface Operation extends JsonObject {
  operationId: string;
  summary: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Record<string, { schema: JsonObject }> };
  responses: Record<string, OperationResponse>;
  /** For a route of the admin API: the required permission; `any`: signed in. */
  "x-permission"?: string;
}
/** A parameter of a path or a query string. */
export interface Parameter extends JsonObject {
  name: string;
  in: "path" | "query";
  required: boolean;
  schema: JsonObject;
  description?: string;
}
/** A response of a status; without `content` it has no JSON body. */
export interface OperationResponse extends JsonObject {
  description: string;
  content?: Record<string, { schema: JsonObject }>;
}

/** The audience of a document: everybody, or users signed in to the admin API. */
export type Audience = "public" | "admin";

/**
 * The description of the API.
 *
 * @example
 * const { paths } = site.use("openapi").document("public");
 * site.log.info("usage.paths", { paths: Object.keys(paths).length });
 */
export interface OpenApiService {
  /** Generated on first use, then cached until blueprints or record types change. */
  document(audience: Audience): OpenApiDocument;
}

declare module "#kernel" {
  interface Services {
    openapi: OpenApiService;
  }
}
