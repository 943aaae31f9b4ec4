import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { definePlugin, type FirstParty } from "#kernel";
import { loadUnderTest } from "../../../kernel/testing/load-under-test.js";
import { inFolder } from "../../support/probe-folder.js";

const lamp = definePlugin({ name: "lamp", version: "1.0.0" });
const firstParty: FirstParty = {
  plugins: [{ name: "lamp", load: async () => lamp }],
  sharedModules: {},
  module: import.meta.url,
};
const own = definePlugin({ name: "own", version: "1.0.0", requires: ["lamp", "third-party"] });

describe("the plugins of a test site", () => {
  it("are all first-party ones when none is named", async () => {
    const { selection, thirdParty } = await loadUnderTest({}, firstParty);
    assert.deepEqual([selection, thirdParty], [undefined, []]);
  });

  it("are the named ones, with the first-party ones that the given ones require", async () => {
    const named = await loadUnderTest({ plugins: ["lamp"] }, firstParty);
    assert.deepEqual([named.selection, named.thirdParty], [["lamp"], []]);
    const chosen = await loadUnderTest({ plugins: [own], selection: [] }, firstParty);
    assert.deepEqual([chosen.selection, chosen.thirdParty], [["lamp"], [own]]);
    const all = await loadUnderTest({ plugins: [own] }, firstParty);
    assert.equal(all.selection, undefined);
  });

  it("keep the block given with them", async () => {
    const { configs } = await loadUnderTest(
      { plugins: [{ plugin: own, config: { a: 1 } }] },
      firstParty,
    );
    assert.deepEqual(configs, { own: { a: 1 } });
  });

  it("are loaded from TypeScript, by path or URL; a factory gets its block, variables expanded", () =>
    inFolder(
      {
        "made.ts": `import { z } from "zod";
          export const config = z.object({ word: z.string(), times: z.number().default(2) });
          export default (given: object) =>
            ({ name: "made", version: "1.0.0", description: JSON.stringify(given) });`,
      },
      async (root) => {
        const file = join(root, "made.ts");
        for (const plugin of [file, pathToFileURL(file), pathToFileURL(file).href]) {
          const item = { plugin, config: { word: "$WORD" } };
          const options = { plugins: [item], env: { WORD: "moin" } };
          const { thirdParty, configs } = await loadUnderTest(options, firstParty);
          const [made] = thirdParty;
          assert.deepEqual([made?.name, made?.description], ["made", '{"word":"moin","times":2}']);
          assert.deepEqual(configs, { made: { word: "$WORD" } });
        }
      },
    ));

  it("are refused when they are no plugins", async () => {
    for (const wrong of [42, null, [], true]) {
      await assert.rejects(loadUnderTest({ plugins: [wrong as never] }, firstParty), {
        code: "ERR_PLUGIN_INVALID",
        message: /^the plugin given to the test site: expected an object, received /,
      });
    }
  });

  it("report a missing file and a file that exports no plugin", () =>
    inFolder({ "empty.ts": "export const a = 1;" }, async (root) => {
      for (const name of ["empty.ts", "missing.ts"]) {
        const loading = loadUnderTest({ plugins: [join(root, name)] }, firstParty);
        await assert.rejects(loading, (error: Error) => error.message.includes(name));
      }
    }));
});
