import assert from "node:assert/strict";
import { definePlugin, type Plugin, type FirstParty } from "#kernel";
import { pluginCommands } from "../../../kernel/cli/plugin-commands.js";
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

describe("pluginCommands", () => {
  const names = async (argv: readonly string[]) =>
    (await pluginCommands(firstParty, argv)).commands.map(({ name }) => name);

  it("are those of the selected plugins, in alphabetical order", () =>
    inFolder({ "site.yaml": "title: T\nplugins: [one]\n" }, async (root) => {
      assert.deepEqual(await names(["node", "site", "x", "--root", root]), ["one:run"]);
      assert.deepEqual(await names(["node", "site", "x", `--root=${root}`]), ["one:run"]);
    }));

  it("leave out only the one whose name is taken, and report it", () =>
    inFolder(
      {
        "site.yaml": "title: T\nplugins: [one, { src: ./plugins/a.mjs }]\n",
        "plugins/a.mjs": `export default { name: "a", version: "1.0.0", setup() {},
          commands: [{ name: "one:run", summary: "x", run: () => 0 },
            { name: "a:run", summary: "x", run: () => 0 }] };`,
      },
      async (root) => {
        const { commands, clashes } = await pluginCommands(firstParty, ["--root", root]);
        assert.deepEqual(
          commands.map(({ name, summary }) => [name, summary === "x"]),
          [
            ["a:run", true],
            ["one:run", false],
          ],
        );
        assert.deepEqual(
          clashes.map(({ code }) => code),
          ["ERR_COMMAND_DUPLICATE"],
        );
      },
    ));

  it("are loaded by the function that declares them, also those of a site's own plugin", () =>
    inFolder(
      {
        "site.yaml": "title: T\nplugins: [one, { src: ./plugins/a.mjs }]\n",
        "plugins/a.mjs": `const command = (name) => ({ name, summary: "x", run: () => 7 });
          export default { name: "a", version: "1.0.0",
            commands: async () => [command("one:run"), command("a:run")] };`,
      },
      async (root) => {
        const { commands, clashes, owners } = await pluginCommands(firstParty, ["--root", root]);
        const own = commands.filter((command) => owners.get(command) === "a");
        assert.deepEqual(
          commands.map(({ name }) => name),
          ["a:run", "one:run"],
        );
        assert.equal(own.length, 1);
        assert.equal(await own[0]?.run(JSON.parse("{}")), 7);
        assert.deepEqual(
          clashes.map(({ code }) => code),
          ["ERR_COMMAND_DUPLICATE"],
        );
      },
    ));

  for (const [what, commands, message] of [
    ["fails", '() => Promise.reject(new Error("no shop"))', /plugin "a": its commands .*: no shop/],
    ["resolves with another value", "async () => 5", /plugin "a": "commands": expected a list/],
    ["resolves with a wrong command", "async () => [{}]", /plugin "a": "commands": 0: "name"/],
  ] as const) {
    it(`leave out those of a plugin whose function ${what}, and tell why`, () =>
      inFolder(
        {
          "site.yaml": "title: T\nplugins: [one, { src: ./plugins/a.mjs }]\n",
          "plugins/a.mjs": `export default { name: "a", version: "1.0.0", commands: ${commands} };`,
        },
        async (root) => {
          const found = await pluginCommands(firstParty, ["--root", root]);
          assert.deepEqual(
            found.commands.map(({ name }) => name),
            ["one:run", "two:run"],
          );
          assert.match(String(found.failure), message);
        },
      ));
  }

  it("include the first-party tools, selected or not", () =>
    inFolder({ "site.yaml": "title: T\nplugins: [one]\n" }, async (root) => {
      const tools = { ...firstParty, tools: ["two"] };
      const { commands } = await pluginCommands(tools, ["--root", root]);
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

  describe("from what the build has written", () => {
    const outlined = (loads: string[]): FirstParty => ({
      ...firstParty,
      plugins: ["two", "one"].map((name) => ({
        name,
        load: async () => {
          loads.push(name);
          return withCommand(name);
        },
      })),
      outlines: () => [
        { name: "one", requires: ["two"], commands: [{ name: "one:run", summary: "one" }] },
        { name: "two", requires: [], commands: [{ name: "two:run", summary: "two" }] },
      ],
    });
    const own = `export default { name: "a", version: "1.0.0", setup() {},
      commands: [{ name: "a:run", summary: "x", run: () => 0 }] };`;

    for (const [site, expected] of [
      ["title: T\n", ["one:run", "two:run"]],
      ["plugins: [two]\n", ["two:run"]],
      ["plugins: [one]\n", ["one:run", "two:run"]],
      ["plugins: { one: { enabled: false } }\n", ["two:run"]],
    ] as const) {
      it(`are those that ${JSON.stringify(site)} selects, and load no plugin`, () =>
        inFolder({ "site.yaml": site }, async (root) => {
          const loads: string[] = [];
          const { commands } = await pluginCommands(outlined(loads), ["--root", root]);
          assert.deepEqual(
            commands.map(({ name }) => name),
            expected,
          );
          assert.deepEqual(loads, []);
        }));
    }

    it("load the plugin of the one that runs", () =>
      inFolder({ "site.yaml": "title: T\n" }, async (root) => {
        const loads: string[] = [];
        const { commands } = await pluginCommands(outlined(loads), ["--root", root]);
        const [command] = commands;
        assert.equal(await command?.run(JSON.parse("{}")), 0);
        assert.deepEqual(loads, ["one"]);
      }));

    it("are read from the plugins when the site has its own", () =>
      inFolder(
        { "site.yaml": "plugins: [{ src: ./plugins/a.mjs }]\n", "plugins/a.mjs": own },
        async (root) => {
          const { commands, owners } = await pluginCommands(outlined([]), ["--root", root]);
          assert.deepEqual(
            commands.map(({ name }) => name),
            ["a:run", "one:run", "two:run"],
          );
          assert.deepEqual([...owners.values()], ["a"]);
        },
      ));
  });
});
