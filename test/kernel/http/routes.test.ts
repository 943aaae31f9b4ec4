import assert from "node:assert/strict";
import express from "express";
import { routesHandler, type OwnedRoute } from "../../../kernel/http/routes.js";
import type { AddressInfo } from "node:net";

const PATHS = [
  "/search",
  "/api/pages",
  "/api/pages/",
  "/api/pages/*route",
  "/api/flex/:type",
  "/api/:name",
  "/flex/:type/:id",
  "/:anything",
];

describe("routesHandler", () => {
  const routes: OwnedRoute[] = PATHS.map((path) => ({
    method: "get",
    path,
    summary: "",
    plugin: "p",
    handler: (_req, res, { params }) => void res.json({ path, params }),
  }));
  const app = express();
  app.use(routesHandler(routes));
  app.use(
    ((error, _req, res, _next) =>
      void res.status(error.status).json({ error: error.message })) as express.ErrorRequestHandler,
  );
  const server = app.listen(0, "127.0.0.1");
  after(() => server.close());
  const ask = (path: string, method = "GET") =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { method });

  const CASES: readonly (readonly [string, string, object])[] = [
    ["/search", "/search", {}],
    ["/api/pages", "/api/pages", {}],
    ["/api/pages/", "/api/pages/", {}],
    ["/api/pages/blog/post", "/api/pages/*route", { route: "blog/post" }],
    ["/api/pages/%C3%A4/b%2Fc", "/api/pages/*route", { route: "ä/b/c" }],
    ["/api/flex/products?x=1", "/api/flex/:type", { type: "products" }],
    ["/api/other", "/api/:name", { name: "other" }],
    ["/flex/a/b", "/flex/:type/:id", { type: "a", id: "b" }],
    ["/else", "/:anything", { anything: "else" }],
  ];
  for (const [request, path, params] of CASES) {
    it(`answers ${request} by ${path}`, async () => {
      assert.deepEqual(await (await ask(request)).json(), { path, params });
    });
  }

  for (const request of ["/", "/a/b/c", "/search/", "/flex/a", "/API/pages/x/y"]) {
    it(`leaves ${request} to the pages`, async () => {
      assert.equal((await ask(request)).status, 404);
    });
  }

  it("answers 405 with the methods of the path", async () => {
    const answer = await ask("/api/flex/x", "POST");
    assert.deepEqual(
      [answer.status, await answer.json()],
      [405, { error: "allowed methods: GET, HEAD" }],
    );
  });
});
