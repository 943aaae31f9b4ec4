import assert from "node:assert/strict";
import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { definePlugin } from "#kernel";
import { RenderQueue } from "../../../../plugins/render/page/render-context.js";
import type { PageRequest } from "../../../../plugins/render/contract.js";
import { blogFiles } from "../../../support/content/blog-files.js";
import { bootSite } from "../../../support/sites/boot-site.js";
import { deferred } from "../../../support/deferred.js";
import { until } from "../../../support/until.js";

const anyRequest = (): PageRequest => Object.create(null) as PageRequest;

describe("RenderQueue", () => {
  it("renders four pages at once, lets a thousand wait, rejects the next with 503", async () => {
    const queue = new RenderQueue({ purpose: "serve" });
    const gate = deferred<void>();
    const state = { begun: 0 };
    const render = async (): Promise<void> => {
      state.begun += 1;
      await gate.promise;
    };
    const renders = Array.from({ length: 1_004 }, async () => queue.run(anyRequest(), render));
    assert.equal(state.begun, 4);
    await assert.rejects(async () => queue.run(anyRequest(), render), {
      status: 503,
      headers: { "Retry-After": "2" },
    });
    gate.resolve();
    await Promise.all(renders);
    assert.equal(state.begun, 1_004);
  });

  it("frees the slot of a render that throws", async () => {
    const queue = new RenderQueue({ purpose: "serve" });
    const fail = async (): Promise<string> => {
      throw new Error("template");
    };
    for (let at = 0; at < 10; at += 1)
      await assert.rejects(queue.run(anyRequest(), fail), /template/);
  });

  it("runs a render inside another one of the same request at once", async () => {
    const queue = new RenderQueue({ purpose: "serve" });
    const nested = Array.from({ length: 4 }, anyRequest).map(async (req) =>
      queue.run(req, async () => queue.run(req, async () => "inner")),
    );
    assert.deepEqual(await Promise.all(nested), ["inner", "inner", "inner", "inner"]);
  });

  it("does not limit an export, which has its own concurrency", () => {
    const queue = new RenderQueue({ purpose: "export" });
    const state = { begun: 0 };
    const never = new Promise<void>(() => undefined);
    for (let at = 0; at < 2_000; at += 1) {
      void queue.run(anyRequest(), () => {
        state.begun += 1;
        return never;
      });
    }
    assert.equal(state.begun, 2_000);
  });

  it("drops the render of a client that has left before its turn", async () => {
    const gate = deferred<void>();
    const state = { begun: 0, responses: 0 };
    const plugin = definePlugin({
      name: "gate",
      version: "1.0.0",
      setup({ hooks }) {
        hooks.on("onRouteResolved", () => {
          state.responses += 1;
        });
        hooks.on("onBeforeRender", async () => {
          state.begun += 1;
          await gate.promise;
        });
      },
    });
    const closed = { count: 0 };
    const site = await bootSite({
      files: blogFiles,
      plugins: ["render", "security"],
      extraPlugins: [
        plugin,
        definePlugin({
          name: "closed",
          version: "1.0.0",
          setup: ({ hooks }) => hooks.on("onResponse", () => void (closed.count += 1)),
        }),
      ],
    });
    try {
      const running = Array.from({ length: 4 }, () => site.fetch("/blog"));
      await until(() => state.begun === 4);
      const leaving = request(`${site.url}/blog`).end();
      leaving.on("error", () => undefined);
      await until(() => state.responses === 5);
      leaving.destroy();
      await until(() => closed.count === 1);
      gate.resolve();
      await Promise.all(running);
      assert.equal((await site.fetch("/blog")).status, 200);
      assert.equal(state.begun, 5);
    } finally {
      await site.close();
    }
  });

  it("responds 503 with Retry-After over HTTP while too many pages wait, and health at once", async () => {
    const gate = deferred<void>();
    const site = await bootSite({
      files: blogFiles,
      plugins: ["render", "security", "cache", "health"],
      env: { SITE_ENV: "production" },
      extraPlugins: [
        definePlugin({
          name: "gate",
          version: "1.0.0",
          setup: ({ hooks }) =>
            hooks.on("onBeforeRender", async () => {
              await gate.promise;
            }),
        }),
      ],
    });
    try {
      const refused = deferred<IncomingMessage>();
      // A session cookie: such requests do not share a response.
      const headers = { Cookie: "site_session=1", Accept: "application/json" };
      const answers = Array.from({ length: 1_010 }, async () => {
        const asked = request(`${site.url}/blog`, { headers }).end();
        const [answer] = (await once(asked, "response")) as [IncomingMessage];
        if (answer.statusCode === 503) refused.resolve(answer);
        answer.resume();
        return answer.statusCode;
      });
      assert.equal((await refused.promise).headers["retry-after"], "2");
      assert.equal((await site.fetch("/health/live")).status, 200);
      gate.resolve();
      const statuses = await Promise.all(answers);
      assert.ok(statuses.every((status) => status === 200 || status === 503));
      assert.ok(statuses.filter((status) => status === 503).length >= 6);
    } finally {
      await site.close();
    }
  });
});
