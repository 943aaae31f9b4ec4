import assert from "node:assert/strict";
import { request } from "node:http";
import { definePlugin } from "#kernel";
import { onAnswered } from "#lib/http";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { deferred } from "../../support/deferred.js";

describe("onAnswered", () => {
  let site: TestSite;
  afterEach(() => site.close());

  /** Responds to `/answered`, leaves every other path open; records each call of the listener. */
  async function boot() {
    const begun = deferred<void>();
    const ended = deferred<void>();
    const calls = new Array<boolean>();
    const plugin = definePlugin({
      name: "listens",
      version: "1.0.0",
      setup: ({ http }) =>
        http.edge("answer", (req, res) => {
          onAnswered(res, () => {
            calls.push(res.headersSent);
            ended.resolve();
          });
          begun.resolve();
          if (req.ctx.path === "/answered")
            http.send(req, res, { type: "text/plain", body: "yes" });
          return true;
        }),
    });
    site = await bootSite({ plugins: [], extraPlugins: [plugin], undeclared: true });
    return { begun, ended, calls };
  }

  it("calls the listener once when the headers are written", async () => {
    const { calls } = await boot();
    assert.equal(await (await site.fetch("/answered")).text(), "yes");
    assert.deepEqual(calls, [true]);
  });

  it("calls it when the client disconnects before that", async () => {
    const { begun, ended, calls } = await boot();
    const leaving = request(`${site.url}/open`).end();
    leaving.on("error", () => undefined);
    await begun.promise;
    leaving.destroy();
    await ended.promise;
    assert.deepEqual(calls, [false]);
  });
});
