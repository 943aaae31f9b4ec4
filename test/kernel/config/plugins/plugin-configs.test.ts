import assert from "node:assert/strict";
import * as z from "zod";
import { createEnv } from "../../../../kernel/config/env.js";
import { pluginEntries } from "../../../../kernel/config/plugins/plugin-entries.js";
import { readConfigFiles } from "../../../../kernel/config/read-files.js";
import {
  resolvePluginConfigs,
  factoryBlock,
} from "../../../../kernel/config/plugins/plugin-configs.js";
import { places, withRoot } from "../../../support/sites/config-root.js";

describe("the blocks of plugins", () => {
  it("are found by their entry, whatever the plugin's own name", async () => {
    const yaml =
      "title: T\nplugins:\n  - src: ./a.ts\n    config:\n      n: one\n  - src: ./b.ts\n    config:\n      n: two\n";
    await withRoot({ "site.yaml": yaml, "a.ts": "", "b.ts": "" }, async (root) => {
      const files = await readConfigFiles(root, createEnv({}));
      const [, second] = pluginEntries(files, []).entries;
      const plugin = { name: "whatever", version: "1.0.0", config: z.strictObject({ n: z.int() }) };
      const entries = new Map([["whatever", second?.config ?? {}]]);
      const { problems } = resolvePluginConfigs(files, [plugin], { env: createEnv({}), entries });
      assert.deepEqual(places(problems), ["site.yaml:8:7 plugins[1].config.n"]);
    });
  });

  it("are passed on with variables expanded without a schema", async () => {
    await withRoot(
      { "site.yaml": "plugins: { free: { src: ./a.ts, config: { a: { b: $X } } } }", "a.ts": "" },
      async (root) => {
        const env = createEnv({ X: "x" });
        const files = await readConfigFiles(root, env);
        const { configs } = resolvePluginConfigs(files, [{ name: "free", version: "1.0.0" }], {
          env,
        });
        assert.deepEqual(configs.get("free"), { a: { b: "x" } });
      },
    );
  });

  it("do not print invalid secrets", async () => {
    await withRoot(
      { "site.yaml": "plugins: { a: { src: ./a.ts, config: { api_key: [canary] } } }", "a.ts": "" },
      async (root) => {
        const env = createEnv({});
        const plugin = {
          name: "a",
          version: "1.0.0",
          config: z.object({ api_key: z.string().meta({ secret: true }) }),
        };
        const { problems } = resolvePluginConfigs(await readConfigFiles(root, env), [plugin], {
          env,
        });
        assert.equal(problems.length, 1);
        assert.doesNotMatch(JSON.stringify(problems), /canary/);
      },
    );
  });
});

const env = createEnv({ TOKEN: "t-1" });

describe("the argument of a plugin's factory", () => {
  it("is its block with variables expanded, without a schema", () => {
    const block = { token: "$TOKEN", list: [{ deep: "${TOKEN}" }], price: "$5" };
    const given = { token: "t-1", list: [{ deep: "t-1" }], price: "$5" };
    assert.deepEqual(factoryBlock(undefined, block, env), given);
    assert.deepEqual(factoryBlock("no schema", block, env), given);
  });

  it("is an object, whatever a schema returns", () => {
    assert.deepEqual(
      factoryBlock(
        z.unknown().transform(() => 7),
        {},
        env,
      ),
      {},
    );
    assert.deepEqual(
      factoryBlock(
        z.unknown().transform(() => null),
        {},
        env,
      ),
      {},
    );
  });

  it("is a copy: a factory cannot change the configuration", () => {
    const block = { a: 1 };
    factoryBlock(undefined, block, env)["a"] = 2;
    assert.deepEqual(block, { a: 1 });
  });
});
