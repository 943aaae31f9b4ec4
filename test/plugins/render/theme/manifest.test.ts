import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { FieldKinds, type SiteError } from "#kernel";
import type { KindLookup } from "#lib/fields";
import { declaredKinds, readManifest } from "../../../../plugins/render/theme/manifest.js";
import { packagedThemeFolder } from "../../../../plugins/render/theme/theme.js";
import { useFolder } from "../../../support/folder.js";

const KINDS = declaredKinds().names.join(", ");
const SETTING = "correct the setting";

describe("readManifest", () => {
  const folder = useFolder();
  const read = async (text: string, kinds?: KindLookup) => {
    await writeFile(join(folder.path, "theme.yaml"), text);
    return readManifest(folder.path, dirname(folder.path), kinds);
  };

  it("returns defaults for a theme without a manifest", () => {
    assert.deepEqual(readManifest(folder.path, dirname(folder.path)), {
      version: "0.0.0",
      description: "",
      parent: null,
      defaults: {},
      fields: {},
      colors: [],
      looks: {},
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
    [
      "config_schema:\n  accent:\n    type: tekst\n",
      3,
      `config_schema.accent.type: there is no kind "tekst" (there are: ${KINDS})`,
      "did you mean text?",
    ],
    [
      "config_schema:\n  size:\n    type: number\n    default: large\n",
      4,
      'config_schema.size.default: received "large", expected a number',
      SETTING,
    ],
    [
      "config_schema:\n  look: { type: select, options: [light, dark], default: darkk }\n",
      2,
      'config_schema.look.default: received "darkk", expected one of "light", "dark"',
      'did you mean "dark"?',
    ],
    [
      "config_schema:\n  look: { type: select }\n",
      2,
      "config_schema.look.options: expected the values to choose from",
      "write options: { light: Light, dark: Dark }, or a list",
    ],
    [
      "config_schema:\n  look: { type: toggle, label: [a] }\n",
      2,
      "config_schema.look.label: expected text",
      SETTING,
    ],
    [
      "config_schema:\n  look: { type: toggle, required: maybe }\n",
      2,
      "config_schema.look.required: expected true or false",
      SETTING,
    ],
    [
      "config_schema:\n  size:\n    type: number\n    validate:\n      maxx: 3\n",
      5,
      'unknown key "config_schema.size.validate.maxx"',
      'did you mean "max"?',
    ],
    [
      "config_schema:\n  size:\n    type: number\n    max: 3\n",
      4,
      'unknown key "config_schema.size.max"',
      "write validate: { max: 3 }",
    ],
    [
      "config_schema:\n  code: { type: text, validate: { pattern: '[' } }\n",
      2,
      'config_schema.code.validate.pattern: "[" is not a regular expression',
      SETTING,
    ],
    [
      "config_schema:\n  from: { type: date, default: now }\n",
      2,
      'config_schema.from.default: received "now", expected a fixed value',
      SETTING,
    ],
    [
      "config_schema:\n  links:\n    type: structure\n    fields:\n      url: { type: urll }\n",
      5,
      `config_schema.links.fields.url.type: there is no kind "urll" (there are: ${KINDS})`,
      "did you mean url?",
    ],
    [
      "version: 1.0.0\ncollections:\n  blog:\n    itmes: a\n",
      4,
      'unknown key "collections.blog.itmes"',
      "did you mean items?",
    ],
    [
      "collections:\n  blog:\n    limit: 3\n",
      2,
      "collections.blog.items: received nothing, expected text or keys and values",
      "add the key",
    ],
    [
      "collections:\n  blog:\n    items: a\n    order: { by: date, dir: descc }\n",
      4,
      'collections.blog.order.dir: received "descc", expected one of "asc", "desc"',
      'did you mean "desc"?',
    ],
    [
      "collections:\n  blog:\n    items: a\n    pagination: { size: 0 }\n",
      4,
      "collections.blog.pagination.size: received 0, expected at least 1",
      "correct the value",
    ],
    [
      'name: a\ncolors: ["#fff"]\n',
      2,
      'colors[0]: received "#fff", expected a colour of six digits, such as #0b6e99',
      "correct the value",
    ],
    [
      "parent: 3\nname: [a]\n",
      2,
      'name: received ["a"], expected text',
      "correct the value or remove the key",
    ],
  ] as const) {
    it(`rejects ${JSON.stringify(text)} with line and the nearest key`, async () => {
      await assert.rejects(
        read(text, declaredKinds()),
        ({ code, message, fix: found }: SiteError) => {
          const place = `${basename(folder.path)}/theme.yaml:${line}: ${why}`;
          assert.equal(message, place);
          assert.deepEqual([code, found], ["ERR_THEME_MANIFEST", fix]);
          return true;
        },
      );
    });
  }

  it("reads defaults of texts as they are written, and converts the others", async () => {
    const { defaults } = await read(
      "config_schema:\n  a: { type: text, default: 1.10 }\n  b: { type: number, default: 1.10 }\n  c: { type: tags, default: x }\n  d: { default: 1.10 }\n",
    );
    assert.deepEqual(defaults, { a: "1.10", b: 1.1, c: ["x"], d: 1.1 });
  });

  it("leaves kinds that plugins may add until they are known", async () => {
    const text = "config_schema: { accent: { type: tekst } }\n";
    assert.deepEqual((await read(text)).fields, { accent: { type: "tekst" } });
    await assert.rejects(read(text, new FieldKinds()), { code: "ERR_THEME_MANIFEST" });
  });

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
