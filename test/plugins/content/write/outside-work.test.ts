import assert from "node:assert/strict";
import { definePlugin, type SiteContext } from "#kernel";
import { RecordedLog } from "#testing";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";

describe("work of plugins on the content folder", () => {
  let site: TestSite | undefined;
  afterEach(async () => {
    await site?.close();
    site = undefined;
  });
  async function boot(setup: (site: SiteContext) => void, log = new RecordedLog()) {
    const mine = definePlugin({ name: "mine", version: "1.0.0", after: ["content"], setup });
    site = await bootSite({
      files: { "site.yaml": "title: T\n", "content/a.md": "A" },
      plugins: ["pages"],
      extraPlugins: [mine],
      log: log.logger,
      handlerLimitMs: 100,
    });
    return site;
  }

  for (const [what, prepare, message] of [
    ["throws", () => assert.fail("no moon"), "no moon"],
    ["rejects", () => Promise.reject(new Error("no moon")), "no moon"],
    ["hangs", () => new Promise(() => undefined), "it did not finish within 100 ms"],
  ] as const) {
    it(`stops the startup when a preparation ${what}, and names its plugin`, async () => {
      const log = new RecordedLog();
      const starting = boot(
        ({ extensions }) => extensions.add("prepareContent", prepare as () => Promise<void>),
        log,
      );
      await assert.rejects(starting, (error: Error & { fix?: string }) => {
        assert.equal(error.message, `plugin "mine" could not prepare the content: ${message}`);
        assert.ok(error.fix !== undefined);
        return true;
      });
      assert.equal(log.of("plugin.failed")[0]?.fields["failed"], "mine");
    });
  }

  it("reads the content after a preparation, whatever that returns", async () => {
    const order: string[] = [];
    const running = await boot(({ extensions, hooks }) => {
      extensions.add("prepareContent", (async () => {
        order.push("prepared");
        return 42;
      }) as unknown as () => Promise<void>);
      hooks.on("onContentIndexReady", () => void order.push("read"));
    });
    assert.deepEqual(order, ["prepared", "read"]);
    assert.equal((await running.fetch("/api/pages/a")).status, 200);
  });
});

describe("guards of writes that plugins add", () => {
  const log = new RecordedLog();
  let guard: () => unknown = () => null;
  let site: TestSite;
  before(async () => {
    const mine = definePlugin({
      name: "mine",
      version: "1.0.0",
      after: ["content"],
      setup: ({ extensions }) => extensions.add("writeGuards", () => guard() as null),
    });
    site = await bootSite({
      files: { "site.yaml": "title: T\n", "content/a.md": "A" },
      plugins: ["pages"],
      extraPlugins: [mine],
      log: log.logger,
    });
  });
  after(() => site.close());

  for (const [what, given, problem] of [
    ["throws", () => assert.fail("no moon"), /no moon/],
    ["rejects", () => Promise.reject(new Error("no moon")), /received a promise/],
    ["gives a number", () => 42, /neither a reason nor null: .* received 42/],
    ["gives nothing", () => undefined, /received nothing/],
  ] as const) {
    it(`allow no write while one ${what}, and the log names its plugin`, async () => {
      guard = given;
      const content = site.site.context("test").use("content");
      for (let at = 0; at < 6; at += 1) {
        const [result] = await content.apply([{ op: "write", path: "b.md", content: "B" }]);
        assert.equal(result?.code, "ERR_CONTENT_CONFLICT");
        assert.match(result?.errors.join() ?? "", /the write guard of plugin "mine" failed: /);
      }
      const { by, error } = log.of("content.guard_failed").at(-1)?.fields ?? {};
      assert.equal(by, "mine");
      assert.match(String(error), problem);
      assert.equal((await site.fetch("/api/pages/a")).status, 200);
    });
  }
});
