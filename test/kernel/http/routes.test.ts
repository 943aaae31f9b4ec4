import assert from "node:assert/strict";
import { z } from "zod";
import { bootProbe } from "../../support/sites/probe-site.js";
import type { TestSite } from "../../support/sites/boot-site.js";

describe("http.route", () => {
  let site: TestSite;
  before(async () => {
    site = await bootProbe(({ http }) => {
      http.jsonPrefix("/api");
      const paths = ["/api/one/:name", "/api/deep/*path", "/api/plain"];
      for (const path of paths) {
        http.route({
          method: "get",
          path,
          summary: path,
          query: z.object({ size: z.coerce.number().default(1) }),
          handler: (req, res, { query, params }) => http.json(req, res, { query, params }),
        });
      }
      http.route({
        method: "put",
        path: "/api/plain",
        summary: "put",
        body: { as: "json", limit: 100, schema: z.object({ size: z.number() }) },
        handler: (req, res, { body }) => http.json(req, res, body),
      });
    });
  });
  after(() => site.close());
  const json = async (path: string, init?: RequestInit) => (await site.fetch(path, init)).json();

  it("passes the query and the path parameters to the handler as strings", async () => {
    assert.deepEqual(await json("/api/one/a%2Fb?size=3"), {
      query: { size: 3 },
      params: { name: "a/b" },
    });
    assert.deepEqual(await json("/api/deep/a/b%20c"), {
      query: { size: 1 },
      params: { path: "a/b c" },
    });
  });

  it("responds 400 naming the parameter, before the handler runs", async () => {
    assert.deepEqual(Object(await json("/api/plain?size=x"))["details"][0].parameter, "size");
    const body = {
      method: "PUT",
      headers: { "Content-Type": "application/json" },
      body: '{"size":"x"}',
    };
    assert.equal((await site.fetch("/api/plain", body)).status, 400);
  });

  it("distinguishes paths by case and trailing slash", async () => {
    for (const path of ["/API/plain", "/api/plain/", "/api//plain", "/api/./plain/x"]) {
      assert.equal((await site.fetch(path)).status, 404, path);
    }
  });

  it("is listed with its plugin", () => {
    const listed = site.site
      .context("probe")
      .http.routes.map(({ plugin, path }) => `${plugin} ${path}`);
    assert.ok(listed.includes("probe /api/one/:name"));
  });

  for (const path of ["/api/:", "/api/(a", "/api/{x", "/api/*"]) {
    it(`fails the boot for the invalid path ${path}`, async () => {
      const handler = (): void => undefined;
      await assert.rejects(
        bootProbe(({ http }) => http.route({ method: "get", path, summary: "none", handler })),
      );
    });
  }

  it("cannot be declared after the boot", () => {
    const { http } = site.site.context("probe");
    const late = {
      method: "get",
      path: "/late",
      summary: "late",
      handler: () => undefined,
    } as const;
    assert.throws(() => http.route(late), { code: "ERR_SEALED" });
    assert.throws(() => http.edge("cached", () => false), { code: "ERR_SEALED" });
  });
});
