import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { firstPartyPlugins } from "../../../plugins/main.js";
import { bootAdmin } from "../../support/sites/admin-site.js";
import { bootSite } from "../../support/sites/boot-site.js";
import { loadConfig, places, withRoot } from "../../support/sites/config-root.js";

/** Problem keys of these three files, with all plugins. */
async function keysOf(system: string, admin = ""): Promise<string[]> {
  const plugins = await Promise.all(firstPartyPlugins.map(({ load }) => load()));
  const files = { "site.yaml": "title: T", "system.yaml": system, "admin.yaml": admin };
  const { problems } = await loadConfig(files, { plugins });
  return places(problems).map((place) => place.split(" ")[1] ?? "");
}

describe("keys whose values are folders", () => {
  const accepted: [system: string, admin: string][] = [
    ["", ""],
    ["backup: { folder: /mnt/backups }", ""],
    ["backup: { folder: ../backups }", ""],
    ["backup: { folder: .. }", ""],
    ["backup: { folder: backups }\nimages: { cache_dir: cache }", "runtimeDir: run"],
    ["content: { dir: site/content }", "dataDir: site/data"],
    ["images: { cache_dir: content-cache }", "dataDir: a/content"],
    ["backup: { folder: /usr/local/backups }", ""],
    ["images: { cache_dir: .dune/cache/pictures }", ""],
  ];
  for (const [system, admin] of accepted) {
    it(`accept ${JSON.stringify(system + admin)}`, async () => {
      assert.deepEqual(await keysOf(system, admin), []);
    });
  }

  const rejected: [system: string, admin: string, key: string][] = [];
  for (const folder of [
    "content",
    "content/",
    "./content/06.files",
    "a/../content",
    "themes/x",
    "flex-objects",
    "blueprints",
    "forms",
    "config/x",
    ".dune",
  ]) {
    // `..` is invalid for keys that must be in the site root.
    rejected.push([`images: { cache_dir: ${folder} }`, "", "images.cache_dir"]);
    rejected.push([`backup: { folder: ${folder} }`, "", "backup.folder"]);
    rejected.push(["", `runtimeDir: ${folder}`, "runtimeDir"]);
    rejected.push(["", `dataDir: ${folder}`, "dataDir"]);
  }
  for (const folder of ["data", "data/uploads", ".dune/admin/x", ".", ".dune/cache"]) {
    rejected.push([`backup: { folder: ${folder} }`, "", "backup.folder"]);
  }
  for (const folder of ["/", "/etc", "/etc/backups", "/usr/share/x"]) {
    rejected.push([`backup: { folder: ${folder} }`, "", "backup.folder"]);
  }
  rejected.push(
    ["", "runtimeDir: data/x", "runtimeDir"],
    ["", "runtimeDir: .dune/cache/x", "runtimeDir"],
    ["images: { cache_dir: data/images }", "", "images.cache_dir"],
    ["images: { cache_dir: .dune/admin }", "", "images.cache_dir"],
    ["content: { dir: data/uploads }", "", "content.dir"],
    ["content: { dir: .dune/cache }", "", "content.dir"],
    ["content: { dir: site/content }\nimages: { cache_dir: site }", "", "images.cache_dir"],
  );
  for (const [system, admin, key] of rejected) {
    it(`reject ${JSON.stringify(system + admin)}`, async () => {
      assert.deepEqual(await keysOf(system, admin), [key]);
    });
  }

  it("name the other key, its value and a fix", async () => {
    const plugins = await Promise.all(firstPartyPlugins.map(({ load }) => load()));
    const files = {
      "site.yaml": "title: T",
      "system.yaml": "backup:\n  folder: content/06.files\n",
    };
    const [problem] = (await loadConfig(files, { plugins })).problems;
    assert.deepEqual(
      [problem?.file, problem?.line, problem?.key, problem?.received],
      ["system.yaml", 2, "backup.folder", "content/06.files"],
    );
    assert.equal(problem?.expected, 'a folder apart from "content" (content.dir)');
  });

  it("reject an absolute path into the content of the site", async () => {
    await withRoot({ "site.yaml": "title: T" }, async (root) => {
      const backup = { folder: join(root, "content/backups") };
      await assert.rejects(bootSite({ root, settings: { system: { backup } } }), /backup\.folder/);
    });
  });

  it("reject such a folder in the settings API, and leave the file as it is", async () => {
    const site = await bootAdmin({
      plugins: ["admin", "content", "session", "users", "security", "backup"],
    });
    try {
      const admin = await site.as("admin");
      const change = { changes: [{ key: "backup.folder", value: "content/06.files" }] };
      const answer = await admin.json(400, "PATCH", "/admin/api/settings/system", change);
      assert.match(JSON.stringify(answer), /backup\.folder.*a folder apart from/);
      assert.ok(!existsSync(join(site.root, "system.yaml")));
    } finally {
      await site.close();
    }
  });
});
