import assert from "node:assert/strict";
import { createEnv, createSite, definePlugin } from "#kernel";
import { RecordedLog } from "#lib/testing";
import { inspectSite } from "../../../kernel/boot/load-site.js";
import { firstParty } from "../../../plugins/main.js";
import { inFolder } from "../../support/probe-folder.js";

/** Loads a site with this configuration. */
const inspect = (root: string) => inspectSite(root, { firstParty, env: createEnv({}) });

describe("a plugin with `enabled: false`", () => {
  for (const { name } of firstParty.plugins) {
    it(`leaves the site without ${name}, and what requires it, able to start`, () =>
      inFolder(
        { "site.yaml": `title: T\nplugins: { ${name}: { enabled: false } }\n` },
        async (root) => {
          const { plugins, config, dependents } = await inspect(root);
          assert.deepEqual(config.problems, []);
          const names = plugins.map(({ plugin }) => plugin.name);
          for (const off of [name, ...dependents.map((one) => one.name)]) {
            assert.ok(!names.includes(off), off);
          }
          for (const { plugin } of plugins) {
            for (const needed of plugin.requires ?? []) assert.ok(names.includes(needed), needed);
          }
        },
      ));
  }

  it("is said at startup for each plugin that goes with it", () =>
    inFolder(
      { "site.yaml": "title: T\nplugins: { openapi: { enabled: false } }\n" },
      async (root) => {
        const log = new RecordedLog();
        const site = await createSite(root, { firstParty, env: createEnv({}), log: log.logger });
        await site.close();
        assert.deepEqual(
          log.of("plugin.left_out").map(({ fields }) => [fields["plugin"], fields["requires"]]),
          [["mcp", "openapi"]],
        );
      },
    ));

  it("is an error at its line for a plugin that the configuration names", () =>
    inFolder(
      {
        "site.yaml":
          "title: T\nplugins:\n  openapi: { enabled: false }\n  mcp: { enabled: true }\n  own: { src: ./own.mjs }\n",
        "own.mjs":
          "export default { name: 'own', version: '1.0.0', requires: ['openapi'], setup() {} };\n",
      },
      async (root) => {
        const { config } = await inspect(root);
        assert.deepEqual(
          config.problems.map(({ file, line, key }) => `${file}:${line} ${key}`),
          ["site.yaml:4 plugins.mcp", "site.yaml:5 plugins.own"],
        );
        assert.match(config.problems[0]?.fix ?? "", /set `enabled: false` for "mcp" too/);
      },
    ));

  it("leaves a plugin of a test alone that requires nothing of it", () =>
    inFolder({ "site.yaml": "title: T\nplugins: { mcp: { enabled: false } }\n" }, async (root) => {
      const extra = definePlugin({ name: "extra", version: "1.0.0" });
      const options = { firstParty, env: createEnv({}), extraPlugins: [extra] };
      const { plugins, dependents } = await inspectSite(root, options);
      assert.ok(plugins.some(({ plugin }) => plugin.name === "extra"));
      assert.deepEqual(dependents, []);
    }));
});
