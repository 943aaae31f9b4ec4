import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import {
  PERMISSION_TEXTS,
  BUILT_IN_ROLES,
  PERMISSIONS,
} from "../../../../plugins/admin/accounts/permissions.js";
import { PERMISSION_LANGUAGES } from "../../../../plugins/admin/schemas/accounts.js";
import { useAdmin } from "../../../support/sites/use-site.js";

describe("the texts of permissions", () => {
  it("exist for every permission, in every language of the panel", async () => {
    const languages = await readdir("plugins/panel/client/locales");
    assert.deepEqual([...PERMISSION_LANGUAGES].sort(), languages.sort());
    assert.deepEqual(Object.keys(PERMISSION_TEXTS).sort(), [...PERMISSIONS].sort());
    for (const name of PERMISSIONS) {
      for (const language of PERMISSION_LANGUAGES) {
        const { title, description } = PERMISSION_TEXTS[name][language];
        assert.match(title, /^\p{Lu}.*[^.]$/u, `${name} ${language}`);
        assert.match(description, /^\p{Lu}.{20,}\.$/u, `${name} ${language}`);
      }
    }
  });

  it("differ from each other", () => {
    for (const language of PERMISSION_LANGUAGES) {
      const texts = PERMISSIONS.map((name) => PERMISSION_TEXTS[name][language].description);
      assert.equal(new Set(texts).size, PERMISSIONS.length);
    }
  });

  it("are in the documentation", async () => {
    const page = await readFile("content/05.operate/17.admin/docs.md", "utf8");
    for (const name of PERMISSIONS) {
      assert.ok(page.includes(`| \`${name}\` | ${PERMISSION_TEXTS[name].en.description} |`), name);
    }
  });
});

describe("GET {admin.path}/api/permissions", () => {
  const site = useAdmin();

  it("explains every permission to every account, and says which it has", async () => {
    const author = await site.as("author");
    const { items, total } = await author.json(200, "GET", "/admin/api/permissions");
    assert.equal(total, PERMISSIONS.length);
    for (const { name, title, description, own } of items) {
      const texts = PERMISSION_TEXTS[name as keyof typeof PERMISSION_TEXTS].en;
      assert.deepEqual({ title, description }, texts);
      assert.equal(own, BUILT_IN_ROLES.get("author")?.includes(name));
    }
    const german = await author.json(200, "GET", "/admin/api/permissions?lang=de");
    assert.equal(german.items[0].title, PERMISSION_TEXTS["pages.read"].de.title);
    await author.json(400, "GET", "/admin/api/permissions?lang=xx");
  });
});
