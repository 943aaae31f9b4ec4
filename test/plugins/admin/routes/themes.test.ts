import assert from "node:assert/strict";
import { adminPlugins, bootAdmin, type AdminSite } from "../../../support/admin-site.js";

const theme = `parent: default
description: By the sea
colors: ["#004466"]
config_schema: { wave: { type: text, label: Wave, default: low } }
`;

describe("themes in the admin API", () => {
  let site: AdminSite;
  before(async () => {
    const files = { "themes/coast/theme.yaml": theme, "themes/broken/theme.yaml": "colors: 1\n" };
    site = await bootAdmin({ files, plugins: [...adminPlugins, "render"] });
  });
  after(() => site.close());

  it("lists those that can be chosen with their settings, and why others cannot", async () => {
    const editor = await site.as("editor");
    const { items, active, home } = await editor.json(200, "GET", "/admin/api/themes");
    assert.deepEqual([active, home], ["default", "01.home/default.md"]);
    const of = (name: string) => items.find((one: { name: string }) => one.name === name);
    assert.deepEqual([of("default").problem, of("coast").parent], [null, "default"]);
    assert.equal(of("coast").fields.wave.label, "Wave");
    assert.equal(of("coast").fields.footer.type, "text");
    assert.match(of("broken").problem, /colors/);
    assert.doesNotMatch(JSON.stringify(items), new RegExp(site.root));
    const author = await site.as("author");
    await author.json(403, "GET", "/admin/api/themes");
  });

  it("previews settings that are not saved, with the right to read the settings", async () => {
    const editor = await site.as("editor", { username: "ed" });
    const path = "01.home/default.md";
    const preview = (status: number, theme: string, by = editor) =>
      by.json(status, "POST", "/admin/api/preview", { path, content: "# Hi\n", theme });
    const trial = (preset: string) => JSON.stringify({ preset, custom: { footer: "canary" } });
    assert.match((await preview(200, trial("docs"))).html, /canary/);
    assert.doesNotMatch(await (await site.fetch("/")).text(), /canary/);
    assert.match((await preview(400, trial("shop"))).error, /docs, blog, site/);
    assert.match((await preview(400, "{")).error, /expected JSON/);
    const author = await site.as("author", { username: "au" });
    assert.match((await preview(403, trial("docs"), author)).error, /config\.read/);
  });
});
