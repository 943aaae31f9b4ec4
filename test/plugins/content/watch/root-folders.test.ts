import assert from "node:assert/strict";
import { definePlugin, type Extensions } from "#kernel";
import { RecordedLog } from "#testing";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";
import { until } from "../../../support/until.js";

describe("folders of the site root that a plugin reads", () => {
  let site: TestSite | undefined;
  afterEach(async () => {
    await site?.close();
    site = undefined;
  });
  async function boot(folder: unknown, log = new RecordedLog()) {
    const mine = definePlugin({
      name: "mine",
      version: "1.0.0",
      after: ["content"],
      setup: ({ extensions }) => extensions.add("rootFolders", folder as Extensions["rootFolders"]),
    });
    site = await bootSite({
      files: { "site.yaml": "title: T\n", "content/a.md": "A", "menus/main.yaml": "a: 1\n" },
      plugins: ["pages"],
      extraPlugins: [mine],
      log: log.logger,
      handlerLimitMs: 100,
    });
    return site;
  }

  for (const folder of ["../up", "..", ".", "", "/etc", "menus/../../up"]) {
    it(`stops the startup for ${JSON.stringify(folder)}, and names plugin, value and fix`, async () => {
      await assert.rejects(boot({ folder, read: async () => false }), (error: Error) => {
        const { code, fix, message } = error as Error & { code: string; fix: string };
        assert.equal(code, "ERR_EXTENSION_INVALID");
        assert.equal(
          message,
          `plugin "mine" adds to the extension list "rootFolders": folder: expected a folder below the site root, received ${JSON.stringify(folder)}`,
        );
        assert.match(fix, /relative to the site root/);
        return true;
      });
    });
  }

  for (const [what, read, problem] of [
    ["throws", () => assert.fail("no moon"), /no moon/],
    ["rejects", () => Promise.reject(new Error("no moon")), /no moon/],
    ["hangs", () => new Promise(() => undefined), /did not finish within 100 ms/],
    ["gives nothing", () => undefined, /expected a boolean, received nothing/],
    ["gives an object", () => ({}), /expected a boolean, received an empty object/],
  ] as const) {
    it(`are read again after a change when a reading ${what}, and the log names the plugin`, async () => {
      const log = new RecordedLog();
      const running = await boot({ folder: "menus", read }, log);
      await until(() => log.of("extension.failed").length > 0);
      const { plugin, list, error } = log.of("extension.failed")[0]?.fields ?? {};
      assert.deepEqual([plugin, list], ["mine", "rootFolders"]);
      assert.match(String(error), problem);
      const before = log.of("extension.failed").length;
      await running.write("menus/main.yaml", "a: 2\n");
      await until(() => log.of("extension.failed").length > before);
      assert.equal((await running.fetch("/api/pages/a")).status, 200);
      assert.deepEqual(log.of("content.watch_failed"), []);
    });
  }
});
