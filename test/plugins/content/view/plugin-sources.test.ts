import assert from "node:assert/strict";
import { definePlugin, type Extensions } from "#kernel";
import { RecordedLog } from "#testing";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";

const files = {
  "site.yaml": "title: Tea\n",
  "content/01.home/default.md": "---\ntitle: Home\n---\n",
  "content/02.list/default.md":
    "---\ntitle: List\ncollection: { items: '@mine' }\n---\n\nA list of things.\n",
};

/** A source, or something else under its key. */
type Sources = Readonly<Record<string, unknown>>;

function plugin(sources: Sources) {
  return definePlugin({
    name: "mine",
    version: "1.0.0",
    after: ["content", "flex"],
    setup: ({ extensions }) =>
      extensions.add("collectionSources", sources as Extensions["collectionSources"]),
  });
}

describe("sources of collections that a plugin adds", () => {
  let site: TestSite | undefined;
  afterEach(async () => {
    await site?.close();
    site = undefined;
  });
  async function boot(sources: Sources, log = new RecordedLog()) {
    site = await bootSite({
      files,
      plugins: ["render", "pages", "flex"],
      extraPlugins: [plugin(sources)],
      log: log.logger,
      handlerLimitMs: 100,
    });
    return site;
  }

  for (const [sources, problem] of [
    [{ recent: () => [] }, /expected keys that begin with "@", received "recent"/],
    [{ "@": () => [] }, /expected keys that begin with "@", received "@"/],
    [{ "@self.children": () => [] }, /"@self.children" is a source of the site itself/],
    [{ "@taxonomy.tag": () => [] }, /"@taxonomy.tag" is a source of the site itself/],
    [{ "@frontmatter": () => [] }, /"@frontmatter" is a source of the site itself/],
    [{ "@mine": [] }, /@mine: expected a function, received a list of 0/],
    [() => [], /expected an object, received a function/],
  ] as const) {
    it(`stop the startup when they are wrong: ${String(problem)}`, async () => {
      await assert.rejects(boot(sources as Sources), (error: Error) => {
        assert.match(error.message, /plugin "mine" adds to the extension list "collectionSources"/);
        assert.match(error.message, problem);
        const { code, fix } = error as Error & { code: string; fix: string };
        assert.equal(code, "ERR_EXTENSION_INVALID");
        assert.match(fix, /name each source with a leading "@"/);
        return true;
      });
    });
  }

  it("list entries", async () => {
    const { url, site: running } = await boot({
      "@mine": (_: unknown, view: { list(query: object): { items: unknown } }) =>
        view.list({ offset: 0, limit: 1 }).items,
    });
    assert.match(await (await fetch(`${url}/list`)).text(), /Home/);
    const view = running.context("test").use("content").view();
    assert.equal((await view.collection({ items: "@mine" }, null)).total, 1);
    assert.equal(view.expiresAt, null);
  });

  for (const [what, source, problem] of [
    ["throws", () => assert.fail("no moon"), /no moon/],
    ["rejects", () => Promise.reject(new Error("no moon")), /no moon/],
    ["hangs", () => new Promise(() => undefined), /did not finish within 100 ms/],
    ["gives nothing", () => undefined, /expected a list, received nothing/],
    ["gives null", () => null, /expected a list, received null/],
    ["gives an object", () => ({}), /expected a list, received an empty object/],
    ["gives wrong items", () => [{ title: "T" }], /0\.sourcePath: expected a string/],
  ] as const) {
    it(`give an empty list for a minute when one ${what}, and the log names plugin and key`, async () => {
      const log = new RecordedLog();
      const { fetch: get, site: running } = await boot({ "@mine": source }, log);
      const page = await get("/list");
      assert.equal(page.status, 200);
      assert.match(await page.text(), /A list of things/);
      const context = running.context("test");
      const view = context.use("content").view();
      assert.equal((await view.collection({ items: "@mine" }, null)).total, 0);
      const seconds = ((view.expiresAt ?? Infinity) - context.runtime.clock.now()) / 1_000;
      assert.ok(seconds > 50 && seconds <= 60, `${seconds} s`);
      const [failed] = log.of("extension.failed");
      const { plugin: who, list, key, error } = failed?.fields ?? {};
      assert.deepEqual([who, list, key], ["mine", "collectionSources", "@mine"]);
      assert.match(String(error), problem);
    });
  }
});
