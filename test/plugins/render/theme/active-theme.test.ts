import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { silentLog } from "#kernel";
import { ModuleLoader } from "#lib/modules";
import { loadActiveTheme } from "../../../../plugins/render/theme/active-theme.js";
import { TemplateLoader } from "../../../../plugins/render/theme/templates.js";
import { useFolder } from "../../../support/folder.js";

describe("loadActiveTheme", () => {
  const folder = useFolder();
  const theme = async (name: string, manifest: string): Promise<void> => {
    await mkdir(join(folder.path, "themes", name), { recursive: true });
    await writeFile(join(folder.path, "themes", name, "theme.yaml"), manifest);
  };
  const load = (custom: Record<string, unknown> = {}) =>
    loadActiveTheme(
      {
        places: {
          root: folder.path,
          preferSources: false,
          settings: {
            theme: { name: "child", src: null, parent: null, look: null, custom },
            themes: [],
          },
        },
        loader: new TemplateLoader(
          folder.path,
          new ModuleLoader(folder.path, join(folder.path, "cache")),
        ),
        pluginTemplates: [],
        log: silentLog,
      },
      "child",
    );

  it("merges settings: the parent's defaults, the child's, the site's", async () => {
    await theme(
      "parent",
      "config_schema: { a: { default: 1 }, b: { default: 1 }, c: { default: 1 } }",
    );
    await theme("child", "parent: parent\nconfig_schema: { b: { default: 2 }, c: { default: 2 } }");
    assert.deepEqual((await load({ c: 3 })).config, { a: 1, b: 2, c: 3 });
  });

  it("merges template collections; the child overrides the parent", async () => {
    await theme(
      "parent",
      "collections: { blog: { items: '@self.children' }, news: { items: '@self.siblings' } }",
    );
    await theme("child", "parent: parent\ncollections: { blog: { items: '@self.descendants' } }");
    const active = await load();
    assert.equal(active.collectionOf("blog")?.items, "@self.descendants");
    assert.equal(active.collectionOf("news")?.items, "@self.siblings");
    assert.equal(active.collectionOf("constructor"), undefined);
  });
});
