import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, describe, it } from "node:test";
import express from "express";
import { createTestSite, type TestSite } from "sitewright/testing";
import { requests } from "./requests.js";
import { said } from "./said.js";
import { addWebSockets } from "./web-sockets.mjs";

void describe("Express middlewares in a test site", () => {
  let site: TestSite;
  before(async () => {
    site = await createTestSite({
      plugins: [new URL("./middlewares.mjs", import.meta.url)],
      files: { "content/index.md": "# Home\n" },
    });
  });
  after(() => site.close());

  for (const [name, check] of Object.entries(requests)) {
    void it(name, () => check({ fetch: (path, init) => site.fetch(path, init), root: site.root }));
  }

  void it("express-ws, in an app that mounts the site", async () => {
    const app = express();
    addWebSockets(app);
    app.use(site.site.handler);
    const server = app.listen(0, "127.0.0.1");
    try {
      await once(server, "listening");
      const address = server.address();
      assert.ok(address !== null && typeof address === "object");
      const host = `127.0.0.1:${address.port}`;
      assert.equal(await said(`ws://${host}/echo`, "hello"), "echo hello");
      await assert.rejects(said(`ws://${host}/`, "hello"), /closed/);
      assert.match(await (await fetch(`http://${host}/`)).text(), /<h1[^>]*>Home/);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
