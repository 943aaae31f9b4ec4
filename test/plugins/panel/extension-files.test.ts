import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { definePlugin, type Extensions } from "#kernel";
import { RecordedLog } from "#testing";
import { useFolder } from "../../support/folder.js";
import type { AdminSite } from "../../support/sites/admin-site.js";
import { bootPanel } from "../../support/browsers/panel-browser.js";

describe("files that extend the panel", () => {
  const folder = useFolder();
  let site: AdminSite | null = null;
  afterEach(async () => {
    await site?.close();
    site = null;
  });
  async function boot(value: unknown, log = new RecordedLog()): Promise<AdminSite> {
    const mine = definePlugin({
      name: "mine",
      version: "1.0.0",
      after: ["panel"],
      setup: ({ extensions }) =>
        extensions.add("panelExtensions", value as Extensions["panelExtensions"]),
    });
    const booted = await bootPanel({ extraPlugins: [mine], log: log.logger });
    site = booted;
    return booted;
  }

  for (const [file, shown] of [
    [new URL("https://example.org/panel.js"), '"https://example.org/panel.js"'],
    ["panel.js", '"panel.js"'],
    [undefined, "nothing"],
    [42, "42"],
  ] as const) {
    it(`stop the startup for ${shown}, and name plugin and fix`, async () => {
      await assert.rejects(boot({ file }), {
        code: "ERR_EXTENSION_INVALID",
        message: `plugin "mine" adds to the extension list "panelExtensions": file: expected a file: URL or an absolute path, received ${shown}`,
        fix: 'add a file of the plugin: { file: new URL("./panel.js", import.meta.url) }',
      });
    });
  }

  it("stop the startup when a URL names no path, and name the plugin", async () => {
    await assert.rejects(boot({ file: "file://elsewhere/panel.js" }), {
      code: "ERR_PANEL_EXTENSION",
      message: /^plugin "mine" extends the panel with "file:\/\/elsewhere\/panel.js"/,
    });
  });

  it("leave the panel usable when they vanish, and the log names the plugin", async () => {
    const file = join(folder.path, "panel.js");
    await writeFile(file, "export default () => ({})");
    const log = new RecordedLog();
    const running = await boot({ file: pathToFileURL(file) }, log);
    const admin = await running.as("admin");
    const panel = async () => {
      const response = await admin.send("GET", "/admin");
      return { status: response.status, text: await response.text() };
    };
    const { status, text } = await panel();
    assert.equal(status, 200);
    const src = /(mine-[0-9a-f]+\.js)/.exec(text)?.[1] ?? "";
    assert.notEqual(src, "");
    await rm(file);
    const without = await panel();
    assert.equal(without.status, 200);
    assert.doesNotMatch(without.text, /mine-/);
    assert.notEqual((await running.fetch(`/admin/assets/extensions/${src}`)).status, 500);
    const { plugin, list, code } = log.of("extension.failed")[0]?.fields ?? {};
    assert.deepEqual([plugin, list, code], ["mine", "panelExtensions", "ERR_PANEL_EXTENSION"]);
  });
});
