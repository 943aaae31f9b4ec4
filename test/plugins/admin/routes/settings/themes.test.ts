import assert from "node:assert/strict";
import { adminPlugins, bootAdmin, type AdminSite } from "../../../../support/sites/admin-site.js";

const theme = `parent: default
description: By the sea
colors: ["#004466"]
config_schema: { wave: { type: text, label: Wave, default: low } }
`;

const template = `export default ({ page, asset, themeConfig }) => (
  <html lang="en">
    <head><title>{page.title}</title><link rel="stylesheet" href={asset("coast.css")} /></head>
    <body><p>coast, {themeConfig.wave}</p></body>
  </html>
);
`;

describe("themes in the admin API", () => {
  let site: AdminSite;
  before(async () => {
    const files = {
      "themes/coast/theme.yaml": theme,
      "themes/coast/static/coast.css": "p { color: red }\n",
      "themes/coast/templates/default.tsx": template,
      "themes/broken/theme.yaml": "colors: 1\n",
    };
    site = await bootAdmin({ files, plugins: [...adminPlugins, "render"] });
  });
  after(() => site.close());

  it("lists those that can be chosen with their settings, and why others cannot", async () => {
    const editor = await site.as("editor");
    const { items, active, home } = await editor.json(200, "GET", "/admin/api/themes");
    assert.deepEqual([active, home], ["default", "01.home/default.md"]);
    const of = (name: string) => items.find((one: { name: string }) => one.name === name);
    assert.deepEqual([of("default").problem, of("coast").parent], [null, "default"]);
    const field = (name: string) =>
      of("coast").fields.find((one: { name: string }) => one.name === name);
    assert.equal(field("wave").label, "Wave");
    assert.equal(field("footer").type, "text");
    assert.deepEqual(Object.keys(of("coast").looks), ["paper", "slate", "book", "poster"]);
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
    const look = JSON.stringify({ preset: "site", look: "book", custom: {} });
    assert.match((await preview(200, look)).html, /looks\/book\.css/);
    assert.doesNotMatch(await (await site.fetch("/")).text(), /canary/);
    assert.match((await preview(400, trial("shop"))).error, /docs, blog, site/);
    assert.match((await preview(400, "{")).error, /expected JSON/);
    const author = await site.as("author", { username: "au" });
    assert.match((await preview(403, trial("docs"), author)).error, /config\.read/);
  });

  it("previews a theme that is not the active one, with its files, with the right to choose it", async () => {
    const admin = await site.as("admin");
    const path = "01.home/default.md";
    const preview = (status: number, name: string, by = admin) => {
      const trial = JSON.stringify({ name, preset: "site", custom: { wave: "high" } });
      return by.json(status, "POST", "/admin/api/preview", {
        path,
        content: "# Hi\n",
        theme: trial,
      });
    };
    const { html } = await preview(200, "coast");
    assert.match(html, /coast, high/);
    const [, file = ""] = /href="([^"]+coast\.css[^"]*)"/.exec(html) ?? [];
    assert.match(file, /^\/admin\/theme-files\/coast\/static\/coast\.css\?v=/);
    const asset = await admin.send("GET", file);
    assert.equal(await asset.text(), "p { color: red }\n");
    assert.match(asset.headers.get("content-type") ?? "", /^text\/css/);
    assert.equal(asset.headers.get("cache-control"), "private, no-store");
    assert.match((await preview(422, "broken")).error, /cannot be shown: .*colors/);
    assert.match((await preview(422, "../coast")).error, /not installed/);
    assert.doesNotMatch(await (await site.fetch("/")).text(), /coast/);
    for (const role of ["editor", "author"]) {
      const other = await site.as(role, { username: `other-${role}` });
      assert.match((await preview(403, "coast", other)).error, /config\./);
      assert.equal((await other.send("GET", file)).status, 403);
    }
    const anonymous = await site.fetch(file, { redirect: "manual" });
    assert.notEqual(anonymous.status, 200);
    for (const wrong of ["coast/static/../theme.yaml", "coast/static/%2e%2e%2ftheme.yaml"]) {
      assert.notEqual((await admin.send("GET", `/admin/theme-files/${wrong}`)).status, 200);
    }
  });
});
