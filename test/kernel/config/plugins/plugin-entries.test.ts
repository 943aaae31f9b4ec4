import assert from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createEnv } from "../../../../kernel/config/env.js";
import {
  pluginEntries,
  readConfigured,
  type Reading,
} from "../../../../kernel/config/plugins/plugin-entries.js";
import { readConfigFiles } from "../../../../kernel/config/read-files.js";
import { places, withRoot, type Files } from "../../../support/sites/config-root.js";

const firstParty = ["content", "pages", "search", "payments"];

function select(yaml: string, selection?: readonly string[], files: Files = {}) {
  return withRoot({ "site.yaml": `title: T\n${yaml}`, ...files }, async (root) =>
    pluginEntries(await readConfigFiles(root, createEnv({})), firstParty, selection),
  );
}
const names = ({ entries }: Awaited<ReturnType<typeof select>>) =>
  entries.map(({ name, src }) => src ?? name);

describe("the plugin selection", () => {
  it("is every first-party plugin without a `plugins` key", async () => {
    const selected = await select("");
    assert.deepEqual(names(selected), firstParty);
    assert.deepEqual([selected.explicit, selected.problems], [false, []]);
  });

  it("excludes one that a map disables, and reports it", async () => {
    for (const off of ["payments: { enabled: false }", "payments: false"]) {
      const selected = await select(`plugins: { ${off} }`);
      assert.deepEqual(names(selected), ["content", "pages", "search"]);
      assert.deepEqual([selected.disabled, selected.leftOut], [["payments"], ["payments"]]);
    }
  });

  it("is exactly those in a list", async () => {
    for (const list of ["[content, search]", "[{ src: content }, { name: search }]"]) {
      const selected = await select(`plugins: ${list}`);
      assert.deepEqual(names(selected), ["content", "search"]);
      assert.deepEqual([selected.explicit, selected.disabled, selected.leftOut], [true, [], []]);
    }
  });

  it("adds third-party plugins when a list contains no first-party one", async () => {
    const selected = await select("plugins: [{ src: ./x.ts, config: { a: 1 } }]", undefined, {
      "x.ts": "",
    });
    assert.deepEqual(names(selected), [...firstParty, "./x.ts"]);
    assert.deepEqual(selected.entries.at(-1)?.config, { a: 1 });
  });

  it("uses a plugin of the site instead of a first-party one with the same name", async () => {
    const selected = await select("plugins: { search: { src: ./x.ts } }", undefined, {
      "x.ts": "",
    });
    assert.deepEqual(names(selected), ["content", "pages", "payments", "./x.ts"]);
  });

  it("of --plugins applies to one run, and allows required plugins", async () => {
    const selected = await select("plugins: { search: { enabled: false } }", ["search", "pages"]);
    assert.deepEqual(names(selected), ["search", "pages"]);
    assert.deepEqual([selected.explicit, selected.disabled], [true, []]);
    assert.deepEqual(selected.leftOut, ["content", "payments"]);
  });

  it("of --plugins accepts the file, package or source of a plugin of the site", async () => {
    const yaml = "plugins: [{ src: ./p/mine.ts, config: { a: 1 } }, { src: 'npm:@a/b@^1.0.0' }]";
    const selected = await select(yaml, ["mine", "@a/b"], { "p/mine.ts": "" });
    assert.deepEqual(names(selected), ["./p/mine.ts", "npm:@a/b@^1.0.0"]);
    assert.deepEqual(selected.entries[0]?.config, { a: 1 });
  });

  it("of --plugins reports an unknown name with the nearest one", async () => {
    const { problems } = await select("", ["serach"]);
    assert.deepEqual(places(problems), ["command line:1:1 --plugins"]);
    assert.match(problems[0]?.fix ?? "", /search/);
  });

  it("reports every rejected source at once, at its position", async () => {
    const yaml = [
      "plugins:",
      "  - src: ../x.ts",
      "  - npm:name",
      "  - { src: ./missing.ts }",
      "  - serach",
      "  - { config: {} }",
    ];
    const { problems, entries } = await select(yaml.join("\n"));
    assert.deepEqual(places(problems), [
      "site.yaml:3:5 plugins[0].src",
      "site.yaml:4:5 plugins[1]",
      "site.yaml:5:7 plugins[2].src",
      "site.yaml:6:5 plugins[3]",
      "site.yaml:7:5 plugins[4]",
    ]);
    assert.match(problems[3]?.fix ?? "", /search/);
    assert.equal(entries.length, firstParty.length);
  });

  it("rejects a file behind a link that leaves the site", async () => {
    await withRoot(
      { "outside/x.ts": "", "site/site.yaml": "plugins: [./linked.ts, ./folder/x.ts]" },
      async (top) => {
        const root = join(top, "site");
        await symlink(join(top, "outside/x.ts"), join(root, "linked.ts"));
        await symlink(join(top, "outside"), join(root, "folder"));
        const { problems } = pluginEntries(await readConfigFiles(root, createEnv({})), firstParty);
        assert.equal(problems.length, 2);
      },
    );
  });

  it("accepts a link inside the site", async () => {
    await withRoot({ "site.yaml": "plugins: [./linked.ts]" }, async (root) => {
      await mkdir(join(root, "plugins"));
      await writeFile(join(root, "plugins/x.ts"), "");
      await symlink(join(root, "plugins/x.ts"), join(root, "linked.ts"));
      const { problems } = pluginEntries(await readConfigFiles(root, createEnv({})), firstParty);
      assert.deepEqual(problems, []);
    });
  });
});

async function read(plugins: string) {
  return withRoot({ "site.yaml": `plugins: ${plugins}`, "x.ts": "" }, async (root) => {
    const files = await readConfigFiles(root, createEnv({}));
    const reading: Reading = { files, firstParty: ["search"], problems: [] };
    const entries = readConfigured(reading).map(({ path, ...entry }) => ({
      ...entry,
      at: path?.at(1),
    }));
    return { entries, problems: reading.problems };
  });
}

describe("the entries of `plugins`", () => {
  const rows: [yaml: string, entries: object[]][] = [
    ["[search]", [{ name: "search", enabled: true, at: 0 }]],
    ["[./x.ts]", [{ src: "./x.ts", enabled: true, at: 0 }]],
    ["[{ name: mine, src: ./x.ts }]", [{ name: "mine", src: "./x.ts", enabled: true, at: 0 }]],
    ["{ search: }", [{ name: "search", enabled: true, at: "search" }]],
    ["{ search: false }", [{ name: "search", enabled: false, at: "search" }]],
    [
      "{ mine: { src: 'npm:a@1.0.0', config: { k: 1 } } }",
      [{ name: "mine", src: "npm:a@1.0.0", config: { k: 1 }, enabled: true, at: "mine" }],
    ],
    ["", []],
    ["7", []],
  ];
  for (const [yaml, entries] of rows) {
    it(`are parsed from ${yaml || "nothing"}`, async () => {
      const found = await read(yaml);
      assert.deepEqual([found.entries, found.problems], [entries, []]);
    });
  }

  it("keep their position when one of them is invalid", async () => {
    const found = await read("[npm:bad, search]");
    assert.deepEqual(found.entries, [{ name: "search", enabled: true, at: 1 }]);
    assert.equal(found.problems.length, 1);
  });
});
