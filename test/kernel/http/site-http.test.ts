import assert from "node:assert/strict";
import { definePlugin } from "#kernel";
import { bootProbe } from "../../support/sites/probe-site.js";

describe("http of a plugin", () => {
  const ears = definePlugin({
    name: "ears",
    version: "1.0.0",
    hooks: {
      onRequest: ({ data, setData }) => {
        if (data.req.ctx.path === "/early")
          setData({ ...data, answer: { type: "text/plain", body: "early" } });
      },
      onApiResponse: ({ data, setData }) =>
        setData({ ...data, status: 202, body: { wrapped: data.body } }),
    },
  });

  it("sends JSON below a JSON prefix through onApiResponse, and other JSON unchanged", async () => {
    const echo = definePlugin({
      name: "echo",
      version: "1.0.0",
      setup: ({ http }) => {
        http.jsonPrefix("/api");
        http.use("routes", (req, res) => http.json(req, res, { path: req.ctx.path }));
      },
    });
    const site = await bootProbe(() => undefined, { extraPlugins: [ears, echo] });
    const inside = await site.fetch("/api/x");
    assert.deepEqual([inside.status, await inside.json()], [202, { wrapped: { path: "/api/x" } }]);
    assert.deepEqual(await (await site.fetch("/apis")).json(), { path: "/apis" });
    await site.close();
  });

  it("sends the answer that onRequest sets", async () => {
    const site = await bootProbe(() => undefined, { extraPlugins: [ears] });
    assert.equal(await (await site.fetch("/early")).text(), "early");
    assert.equal((await site.fetch("/late")).status, 404);
    await site.close();
  });
});
