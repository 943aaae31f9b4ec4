import assert from "node:assert/strict";
import { definePlugin, type Plugin, type FirstParty } from "#kernel";
import { pluginCommands } from "../../../kernel/cli/commands/plugin-commands.js";
import { inFolder } from "../../support/probe-folder.js";

const withCommand = (name: string): Plugin =>
  definePlugin({
    name,
    version: "1.0.0",
    commands: [{ name: `${name}:run`, summary: name, run: () => 0 }],
  });

const firstParty: FirstParty = {
  plugins: ["two", "one"].map((name) => ({ name, load: async () => withCommand(name) })),
  sharedModules: {},
  module: import.meta.url,
};

const other = {
  name: "other",
  load: async () => ({ ...withCommand("one"), name: "other" }),
};

describe("pluginCommands", () => {
  const names = async (argv: readonly string[]) =>
    (await pluginCommands(firstParty, argv, new Set())).map(({ name }) => name);

  it("are those of the selected plugins, in alphabetical order", () =>
    inFolder({ "site.yaml": "title: T\nplugins: [one]\n" }, async (root) => {
      assert.deepEqual(await names(["node", "site", "x", "--root", root]), ["one:run"]);
      assert.deepEqual(await names(["node", "site", "x", `--root=${root}`]), ["one:run"]);
    }));

  it("name both plugins of a command that two have, and the kernel's own", () =>
    inFolder({ "site.yaml": "title: T\nplugins: [one]\n" }, async (root) => {
      const argv = ["--root", root];
      const twice = { ...firstParty, plugins: [...firstParty.plugins, other], tools: ["other"] };
      await assert.rejects(pluginCommands(twice, argv, new Set()), {
        code: "ERR_COMMAND_DUPLICATE",
        message: 'plugin "other" declares the command "one:run", which plugin "one" has',
      });
      await assert.rejects(pluginCommands(firstParty, argv, new Set(["one:run"])), {
        message: /which plugin "kernel" has/,
      });
    }));

  it("include the first-party tools, selected or not", () =>
    inFolder({ "site.yaml": "title: T\nplugins: [one]\n" }, async (root) => {
      const commands = await pluginCommands(
        { ...firstParty, tools: ["two"] },
        ["--root", root],
        new Set(),
      );
      assert.deepEqual(
        commands.map(({ name }) => name),
        ["one:run", "two:run"],
      );
    }));

  it("are those of every first-party plugin without a readable site", () =>
    inFolder({ "site.yaml": "plugins: [nobody]\n" }, async (root) => {
      assert.deepEqual(await names(["--root", root]), ["one:run", "two:run"]);
      assert.deepEqual(await names(["--root", `${root}/none`]), ["one:run", "two:run"]);
    }));
});
