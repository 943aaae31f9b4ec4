import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { SiteError } from "#kernel";
import { readManifest } from "../../../../plugins/render/theme/manifest.js";
import { packagedThemeFolder } from "../../../../plugins/render/theme/theme.js";
import { useFolder } from "../../../support/folder.js";

describe("readManifest", () => {
  const folder = useFolder();
  const read = async (text: string) => {
    await writeFile(join(folder.path, "theme.yaml"), text);
    return readManifest(folder.path, dirname(folder.path));
  };

  it("returns defaults for a theme without a manifest", () => {
    assert.deepEqual(readManifest(folder.path, dirname(folder.path)), {
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

  for (const [text, line, why, fix] of [
    ["name: a\ncolour: blue\n", 2, 'unknown key "colour"', "did you mean colors?"],
    ["parents: default\n", 1, 'unknown key "parents"', "did you mean parent?"],
    [
      "config_schema:\n  accent:\n    typ: text\n",
      3,
      'unknown key "config_schema.accent.typ"',
      "did you mean type?",
    ],
  ] as const) {
    it(`rejects ${JSON.stringify(text)} with line and the nearest key`, async () => {
      await assert.rejects(read(text), ({ code, message, fix: found }: SiteError) => {
        const place = `${basename(folder.path)}/theme.yaml:${line}: ${why}`;
        assert.equal(message, place);
        assert.deepEqual([code, found], ["ERR_THEME_MANIFEST", fix]);
        return true;
      });
    });
  }

  it("leaves keys of a setting to its kind that are not almost a known one", async () => {
    const { fields } = await read("config_schema: { logo: { type: media, accept: image } }\n");
    assert.deepEqual(fields["logo"], { type: "media", accept: "image" });
  });

  it("lists the articles in blogs of the packaged theme", () => {
    assert.deepEqual(readManifest(packagedThemeFolder(), "/nowhere").collections["blog"]?.items, {
      "@self.children": true,
    });
  });
});
