import assert from "node:assert/strict";
import {
  commandsOf,
  createEnv,
  createSite,
  silentLog,
  type Site,
  SiteError,
  type ToolInput,
} from "#kernel";
import { inspectSite } from "../../../kernel/boot/load-site.js";
import { kernelCommands } from "../../../kernel/cli/main.js";
import { exitCode, report } from "../../../kernel/cli/report.js";
import { firstParty } from "../../../plugins/main.js";
import { withRoot } from "../../support/sites/config-root.js";
import { commandOutput } from "../../support/processes/command-output.js";
import { kernelErrors } from "../../../kernel/errors.js";

describe("errors of commands", () => {
  it("of the user are printed with their fix, and the exit code is 2", async () => {
    const { out, errors } = commandOutput();
    const fail = (fix?: string) =>
      exitCode({ out }, () =>
        Promise.reject(new SiteError("ERR_CHECK_ROUTE", "no", fix === undefined ? {} : { fix })),
      );
    assert.deepEqual([await fail("do"), await fail()], [2, 2]);
    const more = "  more: site errors:explain ERR_CHECK_ROUTE";
    assert.deepEqual(errors, [
      "✗ no ERR_CHECK_ROUTE",
      "  fix: do",
      more,
      "✗ no ERR_CHECK_ROUTE",
      more,
    ]);
  });

  it("of the program are thrown, and results are the exit code", async () => {
    const { out, errors } = commandOutput();
    await assert.rejects(
      exitCode({ out }, () => Promise.reject(new TypeError("bug"))),
      TypeError,
    );
    assert.equal(await exitCode({ out }, async () => 1), 1);
    assert.deepEqual(errors, []);
  });

  it("have the exit code that a command gives them", async () => {
    const { out } = commandOutput();
    const fail = (code: "ERR_CHECK_ROUTE" | "ERR_IMPORT_KIND") =>
      exitCode(
        { out },
        () => Promise.reject(new SiteError(code, "no")),
        ({ code: own }) => (own === "ERR_CHECK_ROUTE" ? 1 : 3),
      );
    assert.deepEqual([await fail("ERR_CHECK_ROUTE"), await fail("ERR_IMPORT_KIND")], [1, 3]);
  });
});

describe("the exit code of a command with a wrong option or argument", () => {
  const open: Site[] = [];
  afterEach(async () => {
    for (const site of open.splice(0)) await site.close();
  });

  /** Runs a command on a site; resolves with its exit code and what it printed. */
  const run = (name: string, args: string[], options: Record<string, unknown>) =>
    withRoot({ "site.yaml": "title: T\n", "content/index.md": "# Hello\n" }, async (root) => {
      const plugins = await Promise.all(firstParty.plugins.map(({ load }) => load()));
      const lists = await Promise.all(plugins.map(commandsOf));
      const commands = [...kernelCommands, ...lists.flat()];
      const command = commands.find((one) => one.name === name);
      assert.ok(command !== undefined, name);
      const { out, errors } = commandOutput();
      const site = async () => {
        const made = await createSite(root, { firstParty, env: createEnv({}), log: silentLog });
        open.push(made);
        await made.start();
        return made.context("cli");
      };
      const given = args.map((word) => word.replace("{root}", root));
      const inspect: ToolInput["inspect"] = (inspected = {}) =>
        inspectSite(root, { firstParty, env: createEnv({}), ...inspected });
      const boot: ToolInput["boot"] = () => Promise.reject(new Error("no command boots a site"));
      const tools = { firstParty, kernelErrors, inspect, boot };
      const input: ToolInput = { root, args: given, options, out, site, ...tools };
      const running = async () => command.run(input);
      const code = await running().catch((error: unknown) => report(error, out));
      return { code, text: errors.join("\n") };
    });

  for (const [name, args, options] of [
    ["build", [], {}],
    ["build", [], { static: true, concurrency: "0" }],
    ["build", [], { static: true, baseUrl: "nowhere" }],
    ["build", [], { static: true, out: "content" }],
    ["codegen", ["plugn"], {}],
    ["codegen", ["plugin", "Not a name"], {}],
    ["codegen", ["plugin", "mine"], { route: "api" }],
    ["config:validate", [], { env: "staging" }],
    ["content:create", ["/"], {}],
    ["errors:explain", ["ERR_NOTHING"], {}],
    ["export", ["makdown", "out"], {}],
    ["i18n:stamp", ["nothing"], {}],
    ["i18n:status", [], { lang: "xx" }],
    ["import", ["wordpres", "in"], {}],
    ["lockfile:sync", [], { upgrade: ["unknown"] }],
    ["migrate:flex", ["nothing"], {}],
    ["new", ["{root}/other"], { preset: "shop" }],
    ["new", ["{root}"], {}],
    ["plugin:add", ["kit"], {}],
    ["plugin:remove", ["unknown"], {}],
    ["plugin:update", ["unknown"], {}],
    ["plugins:bisect", ["/"], { expect: "fine" }],
    ["plugins:explain", ["onNothing"], {}],
    ["plugins:probe", ["nowhere"], {}],
    ["plugins:test", ["unknown"], {}],
    ["restore", ["{root}/nothing.tar"], {}],
    ["schema:export", ["foo"], {}],
    ["schema:export", ["foo"], { blueprints: true }],
    ["theme:remove", ["unknown"], {}],
    ["upgrade", [], { plan: true, apply: true }],
    ["upgrade", [], { check: true, migrateFrom: "x" }],
    ["users:set-password", ["unknown"], { password: "a long password" }],
  ] as const) {
    it(`is 2 for ${name} ${args.join(" ")} ${JSON.stringify(options)}`, async () => {
      const { code, text } = await run(name, [...args], options);
      assert.equal(code, 2, text);
      assert.match(text, /^✗ .* ERR_[A-Z_]+\n {2}fix: /);
      assert.doesNotMatch(text, /^\s*at[: ]/m);
    });
  }
});
