import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readManifest } from "../../../../plugins/render/theme/manifest.js";
import { packagedThemeFolder } from "../../../../plugins/render/theme/theme.js";
import { useFolder } from "../../../support/folder.js";

describe("readManifest", () => {
  const folder = useFolder();
  const read = async (text: string) => {
    await writeFile(join(folder.path, "theme.yaml"), text);
    return readManifest(folder.path);
  };

  it("returns defaults for a theme without a manifest", () => {
    assert.deepEqual(readManifest(folder.path), {
      version: "0.0.0",
      description: "",
      parent: null,
      defaults: {},
      fields: {},
      colors: [],
      collections: {},
    });
  });

  it("reads the defaults of settings", async () => {
    const { defaults } = await read("config_schema:\n  dark: { type: toggle, default: true }\n");
    assert.deepEqual(defaults, { dark: true });
  });

  for (const text of [
    "- a\n",
    "version: {}\nparent: 3\n",
    "a: *none\n",
    "a: b: c\n",
    "config_schema: 3\n",
  ]) {
    it(`rejects ${JSON.stringify(text)}`, async () => {
      await assert.rejects(read(text), { code: "ERR_THEME_MANIFEST" });
    });
  }

  it("lists the articles in blogs of the packaged theme", () => {
    assert.deepEqual(readManifest(packagedThemeFolder()).collections["blog"]?.items, {
      "@self.children": true,
    });
  });
});
