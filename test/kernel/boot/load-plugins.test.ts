import assert from "node:assert/strict";
import { join } from "node:path";
import { createEnv, definePlugin, type Plugin } from "#kernel";
import type { PluginEntry } from "../../../kernel/contracts.js";
import { ModuleLoader } from "#lib/modules";
import { loadPlugins } from "../../../kernel/boot/load-plugins.js";
import { inFolder } from "../../support/probe-folder.js";

const plugin = (name: string, more: Partial<Plugin> = {}): Plugin =>
  definePlugin({ name, version: "1.0.0", ...more });
const manifest = (version: string) => JSON.stringify({ name: "site-x", version, main: "index.js" });

const files = {
  "plugins/object.ts": 'export default { name: "object", version: "1.0.0" };\n',
  "plugins/factory.ts":
    'export default (config: { size: number }) => ({ name: "made", version: config.size + ".0.0" });\n',
  "plugins/checked.ts": [
    'import { z } from "zod";',
    "export const config = z.strictObject({ size: z.number(), unit: z.string().default('cm') });",
    "export default ({ size, unit }: z.infer<typeof config>) =>",
    "  ({ name: `checked-${typeof size}-${size}-${unit}`, version: '1.0.0' });",
  ].join("\n"),
  "plugins/named.ts": 'export const plugin = { name: "named", version: "1.0.0" };\n',
  "plugins/none.ts": "export const x = 1;\n",
  "plugins/broken.ts": "export const = 1;\n",
  "plugins/future.ts": 'export default { name: "future", version: "1.0.0", engine: "^9.0.0" };\n',
  "node_modules/site-x/package.json": manifest("1.2.3"),
  "node_modules/site-x/index.js": 'module.exports = { name: "x", version: "1.2.3" };\n',
};

describe("loadPlugins", () => {
  const found = [
    plugin("top", { requires: ["middle"] }),
    plugin("middle", { requires: ["base"] }),
    plugin("base"),
  ];
  const load = async (
    entries: readonly Partial<PluginEntry>[],
    disabled: readonly string[] = [],
  ) => {
    const names: string[] = [];
    await inFolder(files, async (root) => {
      const modules = new ModuleLoader(root, join(root, ".cache"));
      modules.provide("zod", () => import("zod"));
      const loaded = await loadPlugins(
        entries.map((entry) => ({ enabled: true, path: null, ...entry })),
        {
          root,
          modules,
          env: createEnv({ SIZE: "7" }),
          firstParty: found.map((one) => ({ name: one.name, load: async () => one })),
          disabled,
          isSelected: false,
        },
      );
      names.push(
        ...loaded.map(
          ({ plugin: { name, version }, firstParty }) =>
            `${name}@${version}${firstParty ? "" : " theirs"}`,
        ),
      );
    });
    return names;
  };

  it("adds required plugins, and those they require", async () => {
    assert.deepEqual(await load([{ name: "top" }]), ["top@1.0.0", "middle@1.0.0", "base@1.0.0"]);
  });

  it("omits disabled plugins, required or not", async () => {
    assert.deepEqual(await load([{ name: "top" }, { name: "base", enabled: false }], ["middle"]), [
      "top@1.0.0",
    ]);
  });

  it("passes a factory its block with variables expanded, types and defaults of its schema", async () => {
    const entry = (config: Record<string, unknown>) => ({ src: "./plugins/checked.ts", config });
    assert.deepEqual(await load([entry({ size: "$SIZE" })]), ["checked-number-7-cm@1.0.0 theirs"]);
    // Problems of a block are reported with everything else, so the plugin must load.
    assert.deepEqual(await load([entry({ size: "big" })]), [
      "checked-string-big-undefined@1.0.0 theirs",
    ]);
  });

  it("accepts an object, a factory with its config, or a named export", async () => {
    const entries = ["object", "factory", "named"].map((name) => ({
      src: `./plugins/${name}.ts`,
      config: { size: 7 },
    }));
    assert.deepEqual(await load(entries), [
      "object@1.0.0 theirs",
      "made@7.0.0 theirs",
      "named@1.0.0 theirs",
    ]);
  });

  it("accepts an installed package whose version fits", async () => {
    assert.deepEqual(await load([{ src: "npm:site-x@^1.0.0" }]), ["x@1.2.3 theirs"]);
  });

  const refused: readonly (readonly [string, Partial<PluginEntry>, string])[] = [
    ["an unknown name", { name: "tpo" }, "ERR_PLUGIN_UNKNOWN"],
    ["a file that is not there", { src: "./plugins/nothing.ts" }, "ERR_PLUGIN_LOAD"],
    ["a file outside the root", { src: "./../outside.ts" }, "ERR_PLUGIN_LOAD"],
    ["a file that does not compile", { src: "./plugins/broken.ts" }, "ERR_PLUGIN_LOAD"],
    ["a module without a plugin", { src: "./plugins/none.ts" }, "ERR_PLUGIN_INVALID"],
    ["a plugin for another API", { src: "./plugins/future.ts" }, "ERR_PLUGIN_ENGINE"],
    ["a package that is not installed", { src: "npm:site-y@^1.0.0" }, "ERR_PLUGIN_LOAD"],
    ["a package in another version", { src: "npm:site-x@^2.0.0" }, "ERR_PLUGIN_LOAD"],
    ["a source of another kind", { src: "https://evil.example/x.js" }, "ERR_PLUGIN_LOAD"],
  ];
  for (const [what, entry, code] of refused) {
    it(`rejects ${what}`, () => assert.rejects(load([entry]), { code }));
  }

  it("suggests the nearest name", () =>
    assert.rejects(load([{ name: "tops" }]), { fix: 'did you mean "top"?' }));
});
