import assert from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  loadThemeChain,
  packagedThemeFolder,
  themeProblems,
} from "../../../../plugins/render/theme/theme.js";
import { useFolder } from "../../../support/folder.js";

describe("loadThemeChain", () => {
  const folder = useFolder();
  const theme = async (name: string, manifest = ""): Promise<void> => {
    await mkdir(join(folder.path, "themes", name), { recursive: true });
    await writeFile(join(folder.path, "themes", name, "theme.yaml"), manifest);
  };
  interface Chosen {
    parent?: string;
    src?: string;
  }
  const placesOf = (name: string, { src, parent }: Chosen = {}) => ({
    root: folder.path,
    preferSources: false,
    settings: {
      theme: { name, src: src ?? null, parent: parent ?? null, look: null, custom: {} },
      themes: [],
    },
  });
  const chainOf = (name: string, chosen: Chosen = {}) =>
    loadThemeChain(placesOf(name, chosen), name);

  it("uses the packaged theme if the site has none", async () => {
    const [first] = await chainOf("default");
    assert.equal(first?.origin, "package");
    assert.equal(first?.folder, packagedThemeFolder());
  });

  it("prefers the site's own theme", async () => {
    await theme("default", "version: 2.0.0");
    const [first] = await chainOf("default");
    assert.deepEqual([first?.origin, first?.version], ["site", "2.0.0"]);
  });

  it("follows parents", async () => {
    await theme("child", "parent: middle");
    await theme("middle", "parent: default");
    assert.deepEqual(
      (await chainOf("child")).map(({ name }) => name),
      ["child", "middle", "default"],
    );
  });

  it("prefers the parent in the configuration over the theme's own", async () => {
    await theme("child", "parent: nowhere");
    assert.deepEqual(
      (await chainOf("child", { parent: "default" })).map(({ name }) => name),
      ["child", "default"],
    );
  });

  it("reports the cycle when themes are each other's parents", async () => {
    await theme("one", "parent: two");
    await theme("two", "parent: one");
    await assert.rejects(chainOf("one"), { code: "ERR_THEME_CYCLE", message: /one → two → one/ });
  });

  it("suggests the closest name for a missing theme", async () => {
    await theme("paper");
    await assert.rejects(chainOf("papr"), { code: "ERR_THEME_MISSING", fix: /"paper"/ });
  });

  for (const name of ["../outside", "a/b", "..", ""]) {
    it(`does not search the disk for a theme named ${JSON.stringify(name)}`, async () => {
      await assert.rejects(chainOf(name), { code: "ERR_THEME_MISSING" });
    });
  }

  it("reports file and reason for an invalid manifest", async () => {
    await theme("broken", "version: [1");
    await assert.rejects(chainOf("broken"), {
      code: "ERR_THEME_MANIFEST",
      message: /broken\/theme\.yaml/,
    });
  });

  it("reads a theme from a path inside the site root", async () => {
    await mkdir(join(folder.path, "look"));
    const [first] = await chainOf("mine", { src: "./look" });
    assert.equal(first?.origin, "source");
  });

  it("rejects a path that leaves the site root through a link", async () => {
    await symlink("/tmp", join(folder.path, "look"));
    await assert.rejects(chainOf("mine", { src: "./look" }), { code: "ERR_THEME_SOURCE" });
  });

  for (const [what, themes, chosen, expected, fix] of [
    [
      "a mistake in theme.yaml",
      { mine: "config_schema:\n  accent:\n    typ: text\n" },
      {},
      'themes/mine/theme.yaml:3: unknown key "config_schema.accent.typ"',
      "did you mean type?",
    ],
    [
      "a mistake in theme.yaml of a parent",
      { mine: "parent: other", other: "colour: blue" },
      {},
      'themes/other/theme.yaml:1: unknown key "colour"',
      "did you mean colors?",
    ],
    [
      "a mistake below a path",
      { mine: "", look: "colour: blue" },
      { src: "./themes/look" },
      'themes/look/theme.yaml:1: unknown key "colour"',
      "did you mean colors?",
    ],
    [
      "a parent that does not exist",
      { mine: "parent: othr", other: "" },
      {},
      'themes/mine/theme.yaml:1: parent: no theme is named "othr" (there are: default, mine, other)',
      'did you mean "other"?',
    ],
    [
      "a parent that is the theme itself",
      { mine: "version: 1.0.0\nparent: mine" },
      {},
      'themes/mine/theme.yaml:2: parent: "mine" is this theme itself',
      "name another theme, or remove the key",
    ],
    [
      "parents in a circle",
      { mine: "parent: other", other: "parent: mine" },
      {},
      "themes/other/theme.yaml:1: parent: themes are parents in a circle: mine → other → mine",
      "remove one `parent`",
    ],
  ] as const) {
    it(`is refused for ${what} by the start and by config:validate`, async () => {
      for (const [name, manifest] of Object.entries(themes)) await theme(name, manifest);
      await assert.rejects(chainOf("mine", chosen), { message: expected });
      const received = "mine";
      assert.deepEqual(themeProblems(placesOf("mine", chosen)), [
        {
          file: "site",
          key: "theme.name",
          received,
          expected: `a theme that can be loaded: ${expected}`,
          fix,
        },
      ]);
    });
  }

  for (const [what, chosen, key, received, why, fix] of [
    [
      "a name",
      { name: "mne" },
      "theme.name",
      "mne",
      'no theme is named "mne" (there are: default, mine)',
      'did you mean "mine"?',
    ],
    [
      "a parent",
      { name: "mine", parent: "defualt" },
      "theme.parent",
      "defualt",
      'no theme is named "defualt" (there are: default, mine)',
      'did you mean "default"?',
    ],
    [
      "its own name as parent",
      { name: "mine", parent: "mine" },
      "theme.parent",
      "mine",
      '"mine" is this theme itself',
      "name another theme, or remove the key",
    ],
  ] as const) {
    it(`is refused for ${what} in site.yaml, with its line`, async () => {
      await theme("mine");
      const lines = Object.entries(chosen).map(([name, value]) => `  ${name}: ${value}\n`);
      await writeFile(join(folder.path, "site.yaml"), `title: T\ntheme:\n${lines.join("")}`);
      const places = placesOf(chosen.name, "parent" in chosen ? { parent: chosen.parent } : {});
      const line = key === "theme.name" ? 3 : 4;
      await assert.rejects(loadThemeChain(places, chosen.name), {
        message: `site.yaml:${line}: ${key}: ${why}`,
        fix,
      });
      const expected = `a theme that can be loaded: ${why}`;
      assert.deepEqual(themeProblems(places), [{ file: "site", key, received, expected, fix }]);
    });
  }

  it("has no problem as a path, a package, or a child of the packaged theme", async () => {
    await theme("mine", "parent: default");
    await mkdir(join(folder.path, "look"));
    for (const src of ["./look", "npm:look@^1.0.0", undefined]) {
      assert.deepEqual(themeProblems(placesOf("mine", src === undefined ? {} : { src })), []);
    }
  });
});
