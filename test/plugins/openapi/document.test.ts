import assert from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { z } from "zod";
import { definePlugin, type RouteDefinition } from "#kernel";
import type { OpenApiDocument, Operation } from "../../../plugins/openapi/contract.js";
import { createDocument } from "../../../plugins/openapi/document.js";
import { bootAuthSite, type AuthSite } from "../../support/sites/auth-site.js";

const info = { base: "", title: "Boats", version: "1.0.0", adminPath: "/admin" };
const boat = z.object({ id: z.string(), length: z.int() }).meta({ id: "Boat" });
const handler = (): void => undefined;

function documentOf(
  route: Partial<RouteDefinition>,
  audience: "public" | "admin" = "public",
): OpenApiDocument {
  const whole = { method: "get", path: "/api/boats", summary: "Boats", ...route } as const;
  return createDocument([{ ...whole, handler, plugin: "boats" } as never], audience, info);
}

function only(document: OpenApiDocument): Operation {
  const [operation] = Object.values(document.paths).flatMap((path) => Object.values(path));
  assert.ok(operation);
  return operation;
}

describe("the OpenAPI document of a route", () => {
  it("has its path and query parameters, including required ones", () => {
    const query = z.object({
      limit: z.coerce.number().int().min(1).default(20).describe("At most"),
      harbour: z.string(),
      facet: z.record(z.string(), z.string()).optional(),
    });
    const operation = only(documentOf({ path: "/api/boats/:id/*part", query: query as never }));
    assert.deepEqual(
      operation.parameters?.map((at) => [at.name, at.in, at.required, at["style"]]),
      [
        ["id", "path", true, undefined],
        ["part", "path", true, undefined],
        ["limit", "query", false, undefined],
        ["harbour", "query", true, undefined],
        ["facet", "query", false, "deepObject"],
      ],
    );
    assert.equal(operation.parameters?.[2]?.description, "At most");
    assert.equal(operation.parameters?.[2]?.schema["default"], 20);
    assert.equal(operation.operationId, "getBoatsByIdByPart");
  });

  it("defines shared schemas once and references them", () => {
    const document = documentOf({ responses: { 200: z.object({ items: z.array(boat) }) } });
    const schema = only(document).responses["200"]?.content?.["application/json"]?.schema;
    assert.deepEqual(JSON.parse(JSON.stringify(schema)).properties.items.items, {
      $ref: "#/components/schemas/Boat",
    });
    assert.deepEqual(Object.keys(document.components.schemas), ["Boat", "Error"]);
    assert.ok(!JSON.stringify(document).includes("9007199254740991"), "bounds of safe integers");
  });

  it("has the kernel's responses, and one schema for plain errors", () => {
    const problem = z.object({ error: z.string() });
    const post = documentOf({
      method: "post",
      body: { as: "form", limit: 10, schema: boat as never },
      responses: { 201: boat, 409: problem, 204: null },
    });
    const { responses, requestBody } = only(post);
    assert.deepEqual(
      Object.keys(responses),
      "201 204 400 408 409 413 415 429 500 503 507".split(" "),
    );
    assert.deepEqual(responses["409"], {
      description: "The resource has changed, or already exists",
      content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
    });
    assert.equal(responses["204"]?.content, undefined);
    assert.deepEqual(Object.keys(requestBody?.content ?? {}), [
      "application/x-www-form-urlencoded",
      "application/json",
    ]);
    assert.ok("304" in only(documentOf({})).responses);
  });

  it("omits HTML pages, and routes with a permission from the public one", () => {
    assert.deepEqual(documentOf({ hidden: true }, "admin").paths, {});
    const guarded = { permission: "pages.read" };
    assert.deepEqual(documentOf(guarded).paths, {});
    const operation = only(documentOf(guarded, "admin"));
    assert.equal(operation["x-permission"], "pages.read");
    assert.ok("401" in operation.responses && "403" in operation.responses);
  });
});

describe("/_site/openapi.json", () => {
  let site: AuthSite;
  before(async () => {
    const outsider = definePlugin({
      name: "boats",
      version: "1.0.0",
      setup: (context) =>
        context.http.route({
          method: "get",
          path: "/api/boats/:id",
          summary: "A boat",
          tag: "harbour",
          responses: { 200: boat },
          handler: (req, res, { params }) =>
            context.http.json(req, res, { id: params["id"], length: 7 }),
        }),
    });
    site = await bootAuthSite(
      { providers: { magicLink: { enabled: true } } },
      {
        plugins: [
          "admin",
          "auth",
          "cache",
          "email",
          "openapi",
          "pages",
          "search",
          "flex",
          "webhooks",
          "uploads",
          "health",
        ],
        settings: { admin: { path: "/secret-door" }, site: { uploads: {} } },
        extraPlugins: [outsider],
      },
    );
  });
  after(() => site.close());

  async function published(): Promise<OpenApiDocument> {
    const answer = await site.fetch("/_site/openapi.json");
    assert.equal(answer.status, 200);
    assert.ok(answer.headers.get("etag"));
    return (await answer.json()) as OpenApiDocument;
  }

  it("describes the routes of every selected plugin, also third-party ones and edge routes", async () => {
    const { openapi, paths } = await published();
    assert.equal(openapi, "3.1.0");
    for (const path of [
      "/api/pages",
      "/api/search",
      "/api/boats/{id}",
      "/health/ready",
      "/auth/me",
    ]) {
      assert.ok(paths[path], path);
    }
    assert.deepEqual(paths["/api/boats/{id}"]?.["get"]?.tags, ["harbour"]);
  });

  it("reveals nothing about the admin API", async () => {
    const text = JSON.stringify(await published());
    assert.ok(!text.includes("secret-door") && !text.includes("x-permission"));
    assert.equal((await site.fetch("/secret-door/api/openapi.json")).status, 401);
  });

  it("is complete for signed-in users", () => {
    const { paths } = site.site.use("openapi").document("admin");
    const operation = paths["/secret-door/api/pages/{path}"]?.["put"];
    assert.equal(operation?.["x-permission"], "pages.update");
    assert.equal(paths["/secret-door/login"]?.["post"]?.["x-permission"], "none");
  });

  it("has unique operation ids and valid references", async () => {
    const document = site.site.use("openapi").document("admin");
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    const ids = operations.map(({ operationId }) => operationId);
    assert.deepEqual(ids, [...new Set(ids)]);
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    ajv.addSchema({ ...document, $id: "document" });
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { responses }] of Object.entries(methods)) {
        for (const [status, { content }] of Object.entries(responses)) {
          if (!content) continue;
          const escaped = path.replaceAll("~", "~0").replaceAll("/", "~1");
          const at = `document#/paths/${encodeURI(escaped)}/${method}/responses/${status}/content/application~1json/schema`;
          assert.ok(ajv.compile({ $ref: at }), `${method} ${path} ${status}`);
        }
      }
    }
  });

  it("matches the responses of the site", async () => {
    const document = await published();
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    ajv.addSchema({ ...document, $id: "document" });
    for (const path of ["/api/pages", "/api/nav", "/api/search", "/api/taxonomy", "/health/live"]) {
      const at = `document#/paths/${path.replaceAll("/", "~1")}/get/responses/200/content/application~1json/schema`;
      const validate = ajv.compile({ $ref: at });
      assert.ok(validate(await (await site.fetch(path)).json()), JSON.stringify(validate.errors));
    }
  });
});
