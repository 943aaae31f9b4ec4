import assert from "node:assert/strict";
import {
  commandClashes,
  KERNEL_COMMANDS,
  type NamedCommands,
} from "../../../kernel/boot/command-names.js";
import { kernelCommands } from "../../../kernel/cli/main.js";
import { startProcess } from "../../support/processes/site-process.js";
import { inFolder } from "../../support/probe-folder.js";

function assertCommandNames(...given: Parameters<typeof commandClashes>): void {
  const [clash] = commandClashes(...given);
  if (clash !== undefined) throw clash.error;
}

function loaded(plugin: string, command: string, src: string | null = null): NamedCommands {
  return { plugin, firstParty: src === null, src, commands: [{ name: command }] };
}

describe("command names", () => {
  it("of the kernel are those that the command line adds", () => {
    const added = [...kernelCommands.map(({ name }) => name), "help"];
    assert.deepEqual(KERNEL_COMMANDS, added.toSorted());
  });

  it("belong to one plugin", () => {
    const plugins = [loaded("one", "one:run"), loaded("other", "one:run", "./plugins/o.mjs")];
    assert.throws(() => assertCommandNames(plugins, []), {
      code: "ERR_COMMAND_DUPLICATE",
      message:
        'plugin "other" (./plugins/o.mjs) declares the command "one:run", which plugin "one" has',
      fix: "rename it, for example to other:one:run",
    });
  });

  it("are declared once by a plugin", () => {
    const one = loaded("p", "p:a");
    const twice = { ...one, commands: [...one.commands, ...one.commands] };
    assert.throws(() => assertCommandNames([twice], []), {
      message: 'plugin "p" declares the command "p:a" twice',
      fix: "remove one of the two, or rename it",
    });
  });

  it("that are taken get a free name in the fix", () => {
    const plugins = [loaded("one", "p:a"), loaded("p", "p:a")];
    assert.throws(() => assertCommandNames(plugins, []), {
      fix: "rename it, for example to p:a-2",
    });
  });

  it("of first-party plugins are taken, also for a plugin that comes before them", () => {
    const plugins = [loaded("a", "one:run", "./a.mjs"), loaded("one", "one:run")];
    assert.throws(() => assertCommandNames(plugins, []), {
      message: 'plugin "a" (./a.mjs) declares the command "one:run", which plugin "one" has',
    });
  });

  it("of the kernel and of tools that are not selected are taken", () => {
    assert.throws(() => assertCommandNames([loaded("a", "serve")], []), {
      message: 'plugin "a" declares the command "serve", which the kernel has',
    });
    const tool = loaded("tool", "tool:run");
    assert.throws(() => assertCommandNames([loaded("a", "tool:run")], [tool]), {
      message: 'plugin "a" declares the command "tool:run", which plugin "tool" has',
    });
    assertCommandNames([tool, loaded("a", "a:run")], [tool]);
  });

  it("of a plugin that never finish exit with 1", () =>
    inFolder(
      {
        "site.yaml": "title: T\nplugins: [{ src: ./plugins/a.mjs }]\n",
        "plugins/a.mjs": `export default { name: "a", version: "1.0.0",
          commands: [{ name: "a:wait", summary: "x", run: () => new Promise(() => {}) }] };`,
      },
      async (root) => {
        const started = startProcess(["a:wait", "--root", root]);
        assert.equal(await started.ended(), 1, started.text());
        assert.equal(
          started.text(),
          "the command a:wait did not finish: it awaits a promise that never settles\n",
        );
      },
    ));

  it("that clash stop the start and the check, and no command that fixes the site", () =>
    inFolder(
      {
        "site.yaml": "title: T\nplugins: [{ src: ./plugins/a.mjs }]\n",
        "plugins/a.mjs": `export default { name: "a", version: "1.0.0", setup() {},
          commands: [{ name: "search", summary: "x", run: () => 0 },
            { name: "a:other", summary: "OTHER", run: ({ out }) => out.line("it ran") }] };`,
      },
      async (root) => {
        const run = async (...argv: readonly string[]) => {
          const started = startProcess([...argv, "--root", root]);
          return { code: await started.ended(), text: started.text() };
        };
        const clash =
          /plugin "a" \(\.\/plugins\/a\.mjs\) declares the command "search", which plugin "search" has/;
        for (const [argv, code] of [
          [["serve", "--port", "0"], 1],
          [["config:validate"], 2],
          [["doctor"], 1],
        ] as const) {
          const result = await run(...argv);
          assert.match(result.text, clash);
          assert.equal(result.code, code, result.text);
        }
        const explained = await run("errors:explain", "ERR_COMMAND_DUPLICATE");
        assert.equal(explained.code, 0, explained.text);
        const other = await run("a:other");
        assert.match(other.text, /^it ran$/m);
        assert.match(other.text, clash);
        assert.equal(other.code, 0, other.text);
        const help = await run("--help");
        assert.match(help.text, /a:other .*OTHER/);
        assert.match(help.text, clash);
        assert.equal(help.code, 0, help.text);
        const listed = await run("plugin:list");
        assert.match(listed.text, clash);
        assert.match(listed.text, /it is left out, and the site does not start/);
        assert.equal(listed.code, 0, listed.text);
      },
    )).timeout(240_000);

  it("are unknown while the site cannot be loaded, and the reason is printed first", () =>
    inFolder(
      {
        "site.yaml": "title: T\nplugins: [{ src: ./plugins/a.mjs }]\n",
        "plugins/a.mjs": 'throw new Error("not today");\n',
      },
      async (root) => {
        const started = startProcess(["a:other", "--root", root]);
        assert.equal(await started.ended(), 2, started.text());
        assert.match(started.text(), /not today[^]*unknown command 'a:other'/);
      },
    ));
});
