import assert from "node:assert/strict";
import { createEnv } from "../../../kernel/config/env.js";
import { ConfigError } from "../../../kernel/config/problem.js";
import { pluginEntries } from "../../../kernel/config/plugins/plugin-entries.js";
import { readConfigFiles } from "../../../kernel/config/read-files.js";
import { resolveConfig } from "../../../kernel/config/resolve-config.js";
import { withRoot } from "../../support/sites/config-root.js";

describe("loading the configuration", () => {
  it("is three steps, each of which reports instead of throwing", async () => {
    await withRoot(
      { "site.yaml": "title: T\nplugins: [nope]\nfoo: 1", "system.yaml": "a: [" },
      async (root) => {
        const env = createEnv({});
        const files = await readConfigFiles(root, env);
        const selection = pluginEntries(files, ["content"]);
        const { settings, problems } = resolveConfig(files, [], {
          env,
          earlier: selection.problems,
        });
        assert.equal(settings.site.title, "T");
        assert.deepEqual(
          problems.map(({ file, line }) => `${file}:${line}`),
          ["site.yaml:2", "site.yaml:3", "system.yaml:1"],
        );
        assert.equal(new ConfigError(problems).problems.length, 3);
      },
    );
  });
});
