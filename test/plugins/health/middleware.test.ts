import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { createEnv, createSite, definePlugin, silentLog } from "#kernel";
import { firstParty } from "../../../plugins/main.js";
import { bootSite } from "../../support/sites/boot-site.js";
import { deferred } from "../../support/deferred.js";
import { inFolder } from "../../support/probe-folder.js";

describe("/health/ready", () => {
  it("responds 503 with Retry-After during startup; live is 200, all else 503", () =>
    inFolder({ "site.yaml": "title: T\n" }, async (root) => {
      const index = deferred<void>();
      const slow = definePlugin({
        name: "slow",
        version: "1.0.0",
        setup: (site) => site.lifecycle.onReady(() => index.promise),
      });
      const site = await createSite(root, {
        firstParty,
        log: silentLog,
        env: createEnv({}),
        selection: ["health"],
        extraPlugins: [slow],
      });
      const url = `http://127.0.0.1:${await site.listen(0)}`;
      const ready = await fetch(`${url}/health/ready`);
      assert.deepEqual([ready.status, ready.headers.get("retry-after")], [503, "1"]);
      assert.equal(ready.headers.get("cache-control"), "no-store");
      assert.equal((await fetch(`${url}/health/live`)).status, 200);
      assert.equal((await fetch(`${url}/`)).status, 503);
      index.resolve();
      await site.ready;
      assert.equal((await fetch(`${url}/health/ready`)).status, 200);
      await site.close();
    }));

  it("responds 503 during shutdown, and finishes open requests", async () => {
    const open = deferred<void>();
    const begun = deferred<void>();
    const slow = definePlugin({
      name: "slow",
      version: "1.0.0",
      setup: ({ http }) =>
        http.use("pages", async (_req, res) => {
          begun.resolve();
          await open.promise;
          res.end("finished");
        }),
    });
    const booted = await bootSite({ plugins: ["health"], extraPlugins: [slow] });
    const socket = connect(Number(new URL(booted.url).port), "127.0.0.1");
    const chunks: string[] = [];
    socket.on("data", (chunk) => chunks.push(chunk.toString()));
    socket.write("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n");
    await begun.promise;
    const asked = once(booted.site.server, "request");
    const closing = booted.close();
    socket.write("GET /health/ready HTTP/1.1\r\nHost: x\r\n\r\n");
    await asked;
    open.resolve();
    await closing;
    if (!socket.closed) await once(socket, "close");
    const statuses = chunks.join("").match(/HTTP\/1\.1 \d+/g);
    assert.deepEqual(statuses, ["HTTP/1.1 200", "HTTP/1.1 503"]);
    assert.match(chunks.join(""), /finished/);
  });

  it("only runs sections and checks for the detailed report", async () => {
    const booted = await bootSite({
      plugins: ["health"],
      settings: { site: { health_token: "t".repeat(20) } },
    });
    let runs = 0;
    booted.site.use("health").addSection("costly", () => (runs += 1));
    for (const path of ["/health", "/health/live", "/health/ready", "/health?detailed=true"]) {
      assert.equal(await (await booted.fetch(path)).text(), '{"status":"ok"}');
    }
    assert.equal(runs, 0);
    await booted.fetch(`/health?detailed=true&token=${"t".repeat(20)}`);
    assert.equal(runs, 1);
    await booted.close();
  });

  it("only accepts GET and HEAD", async () => {
    const booted = await bootSite({ plugins: ["health"] });
    const refused = await booted.fetch("/health", { method: "POST" });
    assert.deepEqual([refused.status, refused.headers.get("allow")], [405, "GET, HEAD"]);
    assert.equal((await booted.fetch("/health", { method: "HEAD" })).status, 200);
    await booted.close();
  });
});
