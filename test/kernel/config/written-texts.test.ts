import assert from "node:assert/strict";
import * as z from "zod";
import { definePlugin } from "#kernel";
import { createEnv } from "../../../kernel/config/env.js";
import { readConfigFiles } from "../../../kernel/config/read-files.js";
import { resolvePluginConfigs } from "../../../kernel/config/plugins/plugin-configs.js";
import { withRoot } from "../../support/sites/config-root.js";
import { bootSite } from "../../support/sites/boot-site.js";

describe("numbers in the place of texts in YAML files of a site", () => {
  it("are the texts in the file: settings, plugin options, choices, manifest, synonyms", async () => {
    const settings: unknown[] = [];
    const looker = definePlugin({
      name: "looker",
      version: "1.0.0",
      setup: ({ settings: { site } }) => {
        const { title, description, metadata } = site;
        settings.push({ title, description, metadata });
      },
    });
    const site = await bootSite({
      extraPlugins: [looker],
      plugins: ["content", "markdown", "render", "pages", "search", "flex"],
      files: {
        "site.yaml": `title: 1.10
description: 2025
metadata: { version: 3.40 }
`,
        "blueprints/post.yaml":
          "title: 2.50\nfields:\n  version: { type: select, label: 1.0, options: [1.10, 2.0] }\n",
        "flex-objects/car.yaml":
          "title: 9.30\nfields:\n  model: { type: select, options: { 9.3: 9.30 } }\n",
        "content/01.home/post.md": "---\nversion: 1.10\n---\n",
        "search/synonyms.yaml": "synonyms: [[1.10, eleven]]\n",
      },
    });
    try {
      const metadata = { version: "3.40" };
      assert.deepEqual(settings, [{ title: "1.10", description: "2025", metadata }]);
      const [blueprint] = site.site.use("content").blueprints.list();
      assert.equal(blueprint?.title, "2.50");
      assert.equal(blueprint?.fields[0]?.label, "1.0");
      assert.deepEqual(
        blueprint?.fields[0]?.options.map(({ value }) => value),
        ["1.10", "2.0"],
      );
      const [entry] = site.site.use("content").generation().entries;
      assert.ok(entry);
      assert.deepEqual(await site.site.use("content").blueprints.violations(entry), []);
      const [car] = site.site.use("flex").types();
      assert.equal(car?.title, "9.30");
      assert.deepEqual(car?.fields[0]?.options, [{ value: "9.3", label: "9.30" }]);
    } finally {
      await site.close();
    }
  });

  it("are texts in the block of a plugin, and numbers where its schema takes numbers", async () => {
    const yaml =
      "plugins: { a: { src: ./a.ts, config: { label: 3.40, size: 3.40, either: 5.0 } } }\n";
    await withRoot({ "site.yaml": yaml, "a.ts": "" }, async (root) => {
      const either = z.union([z.number(), z.string()]);
      const config = z.object({ label: z.string(), size: z.number(), either });
      const env = createEnv({});
      const plugin = { name: "a", version: "1.0.0", config };
      const { configs } = resolvePluginConfigs(await readConfigFiles(root, env), [plugin], { env });
      assert.deepEqual(configs.get("a"), { label: "3.40", size: 3.4, either: 5 });
    });
  });

  it("are no texts: a switch in the place of a text is a mistake", async () => {
    await assert.rejects(bootSite({ files: { "site.yaml": "title: true\n" } }), /title/);
  });
});
