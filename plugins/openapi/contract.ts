/** What others may know of the description of the API: the document, made from the routes. */

/** A JSON value that is an object: part of a document. */
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
  /** Of a route of the admin API: what whoever asks must be allowed; `any`: to have signed in. */
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
/** What a status means; without `content` it has no JSON body. */
export interface OperationResponse extends JsonObject {
  description: string;
  content?: Record<string, { schema: JsonObject }>;
}

/** Whom a document is for: everybody, or those who have signed in to the admin API. */
export type Audience = "public" | "admin";

/** The description of the API. */
export interface OpenApiService {
  /** Made when first asked for, then kept: routes do not change once a site has started. */
  document(audience: Audience): OpenApiDocument;
}

declare module "#kernel" {
  interface Services {
    openapi: OpenApiService;
  }
}
