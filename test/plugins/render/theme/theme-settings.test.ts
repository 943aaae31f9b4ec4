import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { definePlugin, FieldKinds } from "#kernel";
import {
  ADDED_KINDS,
  declaredKinds,
  readManifest,
} from "../../../../plugins/render/theme/manifest.js";
import { themeProblems } from "../../../../plugins/render/theme/theme.js";
import {
  assertSettings,
  shownLook,
  themeConfig,
  type ThemeSchema,
} from "../../../../plugins/render/theme/theme-settings.js";
import { useFolder } from "../../../support/folder.js";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";

const SCHEMA = `
  accent: { type: text }
  width: { type: number, validate: { min: 10, max: 90 } }
  look: { type: select, options: [light, dark] }
  search: { type: toggle }
  tags: { type: tags }
  code: { type: text, validate: { pattern: "[a-z]+" } }
  colour: { type: color }
  day: { type: date }
  links:
    type: structure
    fields: { label: { type: text, required: true }, weight: { type: number } }
  wide: { type: number, when: { look: dark } }
  any: {}
`;

const CORRECT = "correct the value, or remove the key";

describe("the settings of a theme", () => {
  const folder = useFolder();
  const chainOf = async (schema: string): Promise<readonly ThemeSchema[]> => {
    const theme = join(folder.path, "themes", "mine");
    await mkdir(theme, { recursive: true });
    await writeFile(join(theme, "theme.yaml"), `config_schema:${schema}`);
    const manifest = readManifest(theme, folder.path, declaredKinds());
    return [{ name: "mine", folder: theme, manifest }];
  };
  const siteOf = async (custom: string): Promise<void> => {
    await writeFile(join(folder.path, "site.yaml"), `theme:\n  name: mine\n  custom:\n${custom}`);
  };
  const withCustom = (custom: Record<string, unknown>) => ({
    root: folder.path,
    custom,
    kinds: declaredKinds(),
  });

  for (const [custom, key, received, expected, fix] of [
    [{ width: "red" }, "width", "red", "a number", CORRECT],
    [{ width: 5 }, "width", 5, "at least 10", CORRECT],
    [{ look: "darkk" }, "look", "darkk", 'one of "light", "dark"', 'did you mean "dark"?'],
    [{ search: "maybe" }, "search", "maybe", "true or false", CORRECT],
    [{ accent: ["a"] }, "accent", ["a"], "a text", CORRECT],
    [{ tags: [{ a: 1 }] }, "tags[0]", { a: 1 }, "a text", CORRECT],
    [{ code: "A1" }, "code", "A1", "text of the form /[a-z]+/", CORRECT],
    [{ colour: "blu" }, "colour", "blu", "a colour such as #0b6e99", CORRECT],
    [{ day: "tomorrow" }, "day", "tomorrow", "a valid date in YYYY-MM-DD format", CORRECT],
    [
      { links: [{ label: "a" }, { label: "b", weight: "c" }] },
      "links[1].weight",
      "c",
      "a number",
      CORRECT,
    ],
    [{ links: [{}] }, "links[0].label", undefined, "a value", "add the key"],
    [{ look: "dark", wide: "x" }, "wide", "x", "a number", CORRECT],
  ] as const) {
    it(`reject ${JSON.stringify(custom)}, at the start and in config:validate`, async () => {
      const chain = await chainOf(SCHEMA);
      const lines = Object.entries(custom).map(
        ([name, value]) => `    ${name}: ${JSON.stringify(value)}\n`,
      );
      await siteOf(lines.join(""));
      const line = 3 + Object.keys(custom).length;
      const given = received === undefined ? "nothing" : JSON.stringify(received);
      assert.throws(() => assertSettings(chain, withCustom(custom)), {
        code: "ERR_THEME_SETTING",
        message: `site.yaml:${line}: theme.custom.${key}: received ${given}, expected ${expected}`,
        fix,
      });
      const settings = {
        theme: { name: "mine", src: null, parent: null, look: null, custom },
        themes: [],
      };
      const places = { root: folder.path, preferSources: false, settings, kinds: declaredKinds() };
      assert.deepEqual(themeProblems(places), [
        { file: "site", key: `theme.custom.${key}`, received, expected, fix },
      ]);
    });
  }

  for (const [looks, look, expected, fix] of [
    [
      "{ ink: Ink, mint: Mint }",
      "mnt",
      "a look of the theme mine: ink, mint",
      "did you mean mint?",
    ],
    [
      "{ ink: Ink, mint: Mint }",
      "gold",
      "a look of the theme mine: ink, mint",
      "use ink, mint, or remove the key",
    ],
    ["{}", "gold", "no look: the theme mine has none", "remove the key"],
  ] as const) {
    it(`reject the look ${look} of ${looks}, at the start and in config:validate`, async () => {
      const chain = await chainOf(` {}\nlooks: ${looks}\n`);
      await writeFile(
        join(folder.path, "site.yaml"),
        `title: T\ntheme:\n  name: mine\n  look: ${look}\n`,
      );
      assert.throws(() => assertSettings(chain, { ...withCustom({}), look }), {
        code: "ERR_THEME_SETTING",
        message: `site.yaml:4: theme.look: received "${look}", expected ${expected}`,
        fix,
      });
      const settings = {
        theme: { name: "mine", src: null, parent: null, look, custom: {} },
        themes: [],
      };
      const places = { root: folder.path, preferSources: false, settings, kinds: declaredKinds() };
      assert.deepEqual(themeProblems(places), [
        { file: "site", key: "theme.look", received: look, expected, fix },
      ]);
    });
  }

  it("accept a look of the theme, or of its nearest parent with looks", async () => {
    const [parent] = await chainOf(" {}\nlooks: { ink: Ink, mint: Mint }\n");
    assert.ok(parent !== undefined);
    const child = { ...parent, name: "child", manifest: { ...parent.manifest, looks: {} } };
    for (const look of ["ink", "mint", null]) {
      assert.doesNotThrow(() => assertSettings([child, parent], { ...withCustom({}), look }));
    }
    assert.deepEqual(
      ["ink", "mint", "gold", null].map((look) => shownLook([child, parent], look)),
      [null, "mint", null, null],
    );
  });

  it("are reported and spelled as in the file of the mode", async () => {
    const chain = await chainOf("\n  release: { type: text }\n  size: { type: number }\n");
    await siteOf("    release: 1.20\n    size: 3\n");
    const overlay = join(folder.path, "env", "dev");
    await mkdir(overlay, { recursive: true });
    await writeFile(
      join(overlay, "site.yaml"),
      "theme:\n  custom:\n    size: red\n    release: 1.10\n",
    );
    const site = { ...withCustom({ release: 1.1, size: "red" }), mode: "dev" };
    assert.throws(() => assertSettings(chain, site), {
      message: 'env/dev/site.yaml:3: theme.custom.size: received "red", expected a number',
    });
    assert.equal(themeConfig(chain, site)["release"], "1.10");
  });

  it("accept what fits, unknown keys, and values whose condition is not met", async () => {
    const chain = await chainOf(SCHEMA);
    const custom = { accent: "red", width: "50", look: "light", wide: "x", any: [1], other: {} };
    assert.doesNotThrow(() => assertSettings(chain, withCustom(custom)));
  });

  it("are converted by their kinds, texts as they are written", async () => {
    const chain = await chainOf(
      "\n  release: { type: text }\n  size: { type: number, default: 3 }\n  on: { type: toggle }\n  any: {}\n",
    );
    await siteOf('    release: 1.10\n    on: "on"\n    any: 1.10\n    other: 2.50\n');
    assert.deepEqual(
      themeConfig(chain, withCustom({ release: 1.1, on: "on", any: 1.1, other: 2.5 })),
      {
        release: "1.10",
        size: 3,
        on: true,
        any: 1.1,
        other: 2.5,
      },
    );
    // An overlay has another value.
    assert.equal(themeConfig(chain, withCustom({ release: 2 }))["release"], "2");
  });

  it("compare conditions with values of the kind of the setting they name", async () => {
    const chain = await chainOf(
      "\n  release: { type: text }\n  wide: { type: number, when: { release: 2 } }\n",
    );
    assert.throws(() => assertSettings(chain, withCustom({ release: "2", wide: "x" })), {
      code: "ERR_THEME_SETTING",
    });
  });

  it("reject a condition that names no setting, with its line", async () => {
    const chain = await chainOf(
      "\n  look: { type: text }\n  wide: { type: text, when: { lok: a } }\n",
    );
    assert.throws(() => assertSettings(chain, withCustom({})), {
      code: "ERR_THEME_MANIFEST",
      message: 'themes/mine/theme.yaml:3: config_schema.wide.when.lok: there is no setting "lok"',
      fix: "did you mean look?",
    });
  });

  it("require a setting that the theme requires", async () => {
    const chain = await chainOf("\n  motto: { type: text, required: true }\n");
    await siteOf("    {}\n");
    assert.throws(() => assertSettings(chain, withCustom({})), {
      message: "site.yaml:3: theme.custom.motto: received nothing, expected a value",
      fix: "add the key",
    });
  });
});

describe("a site whose theme has settings", () => {
  let site: TestSite | undefined;
  afterEach(async () => {
    await site?.close();
    site = undefined;
  });

  /** Adds a kind of fields. */
  const even = definePlugin({
    name: "even",
    version: "1.0.0",
    requires: ["content"],
    after: ["render"],
    setup: (context) =>
      context.use("content").addFieldKind("even", {
        control: "number",
        check: (value) =>
          Number(value) % 2 === 0 ? null : { issue: "format", rest: "must be even." },
        jsonSchema: () => ({ type: "integer", multipleOf: 2 }),
      }),
  });
  const filesOf = (setting: string, custom: string): Record<string, string> => ({
    "themes/mine/theme.yaml": `parent: default\nconfig_schema:\n  size: ${setting}\n`,
    "site.yaml": `title: T\ntheme:\n  name: mine\n  custom:\n    size: ${custom}\n`,
  });

  it("knows the kinds that first-party plugins add", async () => {
    site = await bootSite({});
    const known = new FieldKinds().names;
    const { names } = site.site.use("content").fieldKinds;
    assert.deepEqual(
      names.filter((name) => !known.includes(name)).toSorted(),
      ADDED_KINDS.toSorted(),
    );
  });

  it("does not start with a kind that no plugin adds", async () => {
    await assert.rejects(
      bootSite({ files: filesOf("{ type: evenn }", "2"), extraPlugins: [even] }),
      {
        code: "ERR_THEME_MANIFEST",
        message:
          /^themes\/mine\/theme\.yaml:3: config_schema\.size\.type: there is no kind "evenn" \(there are: text, .*, even\)$/,
        fix: "did you mean even?",
      },
    );
  });

  it("does not start with a value that a kind of a plugin rejects", async () => {
    await assert.rejects(
      bootSite({ files: filesOf("{ type: even }", "3"), extraPlugins: [even] }),
      {
        code: "ERR_THEME_SETTING",
        message: "site.yaml:5: theme.custom.size: received 3, expected even",
      },
    );
    site = await bootSite({ files: filesOf("{ type: even }", "2"), extraPlugins: [even] });
    await site.write(
      "themes/other/theme.yaml",
      "parent: mine\nconfig_schema: { size: { type: tags } }",
    );
    await site.site.use("render").switchTheme("other");
    await site.write(
      "themes/third/theme.yaml",
      "parent: mine\nconfig_schema: { size: { type: toggle } }",
    );
    await assert.rejects(site.site.use("render").switchTheme("third"), {
      code: "ERR_THEME_SETTING",
      message: "site.yaml:5: theme.custom.size: received 2, expected true or false",
    });
    assert.equal(site.site.use("render").theme, "other");
  });
});
