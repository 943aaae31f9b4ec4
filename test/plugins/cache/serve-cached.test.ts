import assert from "node:assert/strict";
import { request } from "node:http";
import { definePlugin } from "#kernel";
import { blogFiles } from "../../support/content/blog-files.js";
import { bootSite, type BootOptions, type TestSite } from "../../support/sites/boot-site.js";
import { deferred } from "../../support/deferred.js";
import { until } from "../../support/until.js";

/** Counts renders and blocks them until the gate opens. */
function gatedRenders() {
  const gate = deferred<void>();
  const state = { begun: 0, first: deferred<void>() };
  const plugin = definePlugin({
    name: "gate",
    version: "1.0.0",
    setup({ hooks }) {
      hooks.on("onBeforeRender", async () => {
        state.begun += 1;
        state.first.resolve();
        await gate.promise;
      });
    },
  });
  return { plugin, state, open: () => gate.resolve() };
}

/** Requests with a cache miss. */
function countMisses() {
  const misses = { count: 0 };
  const plugin = definePlugin({
    name: "misses",
    version: "1.0.0",
    setup: ({ hooks }) => hooks.on("onCacheMiss", () => void (misses.count += 1)),
  });
  return { misses, plugin };
}

describe("requests for an address that is not cached", () => {
  let site: TestSite;
  afterEach(() => site.close());
  const boot = async (options: BootOptions = {}) => {
    const renders = gatedRenders();
    const { misses, plugin } = countMisses();
    site = await bootSite({
      files: { ...blogFiles, "content/09.own/default.md": "---\ncache: false\n---\nOwn.\n" },
      plugins: ["pages", "render", "security", "cache", "health"],
      env: { SITE_ENV: "production" },
      extraPlugins: [renders.plugin, plugin],
      ...options,
    });
    return { ...renders, misses };
  };

  it("share one render", async () => {
    const { state, misses, open } = await boot();
    const answers = Array.from({ length: 60 }, () => site.fetch("/blog"));
    await until(() => misses.count === 60);
    open();
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    assert.deepEqual(new Set(statuses), new Set([200]));
    assert.equal(state.begun, 1);
  });

  it("share one render with parameters that only track, as of a newsletter", async () => {
    const { state, misses, open } = await boot();
    const answers = Array.from({ length: 150 }, (_, at) =>
      site.fetch(`/blog?utm_source=mail&utm_content=${at}&mc_eid=${at}&fbclid=${at}`),
    );
    await until(() => misses.count === 150);
    open();
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    assert.deepEqual(new Set(statuses), new Set([200]));
    assert.equal(state.begun, 1);
  });

  it("are processed separately when the response is not cached", async () => {
    const { state, misses, open } = await boot();
    const answers = Array.from({ length: 5 }, () => site.fetch("/own"));
    await until(() => misses.count === 5);
    open();
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    assert.deepEqual(statuses, [200, 200, 200, 200, 200]);
    assert.equal(state.begun, 5);
  });

  it("continue when the client of the first one leaves", async () => {
    const { state, misses, open } = await boot();
    const leaving = request(`${site.url}/blog`).end();
    leaving.on("error", () => undefined);
    await state.first.promise;
    const others = Array.from({ length: 4 }, () => site.fetch("/blog"));
    await until(() => misses.count === 5);
    leaving.destroy();
    await until(() => state.begun === 2);
    open();
    const statuses = (await Promise.all(others)).map(({ status }) => status);
    assert.deepEqual(statuses, [200, 200, 200, 200]);
    assert.equal(state.begun, 2);
  });

  it("render again for an authenticated visitor", async () => {
    const { state, open } = await boot();
    open();
    const headers = { Cookie: "site_session=1" };
    await Promise.all([site.fetch("/blog", { headers }), site.fetch("/blog", { headers })]);
    assert.equal(state.begun, 2);
  });
});
