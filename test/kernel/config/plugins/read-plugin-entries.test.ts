import assert from "node:assert/strict";
import { createEnv } from "../../../../kernel/config/env.js";
import { readConfigFiles } from "../../../../kernel/config/read-files.js";
import { readConfigured, type Reading } from "../../../../kernel/config/plugins/plugin-entries.js";
import { withRoot } from "../../../support/sites/config-root.js";

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
