import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  commandsOf,
  type CommandInput,
  createEnv,
  createSite,
  silentLog,
  type Site,
  type ToolInput,
} from "#kernel";
import {
  bisectPlugins,
  type TryOne,
  probeSite,
  type ProbeResult,
} from "../../../plugins/dev/bisect-plugins.js";
import doctorPlugin from "../../../plugins/doctor/index.js";
import { inspectSite } from "../../../kernel/boot/load-site.js";
import devPlugin from "../../../plugins/dev/index.js";
import { report } from "../../../kernel/cli/report.js";
import { firstParty } from "../../../plugins/main.js";
import { commandOutput } from "../../support/processes/command-output.js";
import { makeRoot, withRoot } from "../../support/sites/config-root.js";
import { repository } from "../../support/repository.js";
import { kernelErrors } from "../../../kernel/errors.js";

const bin = fileURLToPath(new URL("../../../kernel/cli/bin.mjs", import.meta.url));

/** A setup that never finishes. */
const WAITS = "setup: () => new Promise(() => undefined)";
/** Blocks the whole thread: only killing it helps. */
const BLOCKS = `setup({ http }) { http.use("routes", () => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}); }`;

interface Ended {
  code: number;
  text: string;
  errors: string;
}
type Options = Record<string, unknown>;

/** What the command line gives to commands that examine a site. */
function toolsOf(root: string): Omit<ToolInput, keyof CommandInput> {
  const how = { firstParty, env: createEnv({}), log: silentLog };
  return {
    firstParty,
    kernelErrors,
    boot: (left = {}) => createSite(root, { ...how, ...left }),
    inspect: (inspected = {}) => inspectSite(root, { ...how, ...inspected }),
  };
}

/** Runs a command in this process: a process of its own takes ten times as long. */
async function runHere(root: string, name: string, args: string[], options: Options = {}) {
  const { out, lines, json, errors } = commandOutput();
  const commands = [...(await commandsOf(devPlugin)), ...(await commandsOf(doctorPlugin))];
  const command = commands.find((one) => one.name === name);
  assert.ok(command !== undefined, name);
  const opened: Site[] = [];
  const site = async () => {
    const made = await createSite(root, { firstParty, env: createEnv({}), log: silentLog });
    opened.push(made);
    await made.start();
    return made.context("cli");
  };
  const run = async () => command.run({ ...toolsOf(root), root, args, options, out, site });
  const code = await run().catch((error: unknown) => report(error, out));
  for (const made of opened) await made.close();
  const texts = { text: lines.join("\n"), errors: errors.join("\n") };
  return { code: code ?? 0, json: JSON.parse(JSON.stringify(json[0] ?? null)), ...texts };
}

/** An attempt of `plugins:bisect` in this process. */
const tryHere: TryOne = async (path, { safe, without = [] }, input) => {
  const { out, json } = commandOutput();
  const options = { json: true, safe, ...(without.length > 0 && { without: without.join(",") }) };
  await probeSite({ ...input, args: [path], options, out });
  return json[0] as ProbeResult;
};

describe("commands that inspect plugins", function () {
  this.timeout(240_000);
  const plugin = (name: string, rest = "") =>
    `export default { name: "${name}", version: "1.2.0", ${rest} };\n`;
  const quiet = 'hooks: { onApiResponse: () => undefined }, errors: { ERR_OF_A: "Of a." }';
  const broken = `setup({ http }) { http.use("routes", (req, res, next) => {
    if (req.ctx.path === "/broken") throw new Error("x");
    if (req.ctx.path === "/ends") process.exit(3);
    next();
  }); }`;
  const files = {
    "site.yaml": `title: T
theme: { name: own, parent: default }
plugins: [./plugins/a.ts, ./plugins/b.ts, ./plugins/c.ts, ./plugins/d.ts]
`,
    "content/01.home/default.md": "---\ntitle: Home\n---\nText.\n",
    "content/02.item/item.md": "---\ntitle: Item\n---\nText.\n",
    "themes/own/templates/item.tsx": "export default () => { throw new Error('x'); };\n",
    "plugins/a.ts": plugin("a", quiet),
    "plugins/b.ts": plugin(
      "b",
      `hooks: { onApiResponse: { before: "a", handler() {} } }, after: ["pages"]`,
    ),
    "plugins/c.ts": plugin("c", broken),
    "plugins/d.ts": plugin("d", quiet),
  };
  let root = "";
  before(async () => {
    root = await makeRoot(files);
  });
  after(() => rm(root, { recursive: true, force: true }));

  const run = (...args: string[]): Promise<Ended> => runIn(root, ...args);
  const runIn = (root: string, ...args: string[]): Promise<Ended> =>
    new Promise((resolve) => {
      const env = { ...process.env, NODE_OPTIONS: "" };
      execFile(process.execPath, [bin, ...args, "--root", root], { env }, (error, text, errors) => {
        resolve({ code: typeof error?.code === "number" ? error.code : 0, text, errors });
      });
    });

  it("explain a hook: its handlers, in order, with reasons", async () => {
    const { code, text } = await run("plugins:explain", "onApiResponse", "--json");
    const { kind, handlers } = JSON.parse(text);
    assert.deepEqual([code, kind], [0, "transform"]);
    const ours = handlers.filter(({ firstParty }: { firstParty: boolean }) => !firstParty);
    assert.deepEqual(
      ours.map((handler: { plugin: string }) => handler.plugin),
      ["b", "a", "d"],
    );
    assert.match(ours[0].why, /^asks to run before a; plugin \d+ of \d+; runs after pages$/);
    assert.equal(ours[1].version, "1.2.0");
    const { text: shown } = await runHere(root, "plugins:explain", ["onApiResponse"]);
    assert.match(shown, /1\. b 1\.2\.0 \(third-party\)/);
  });

  /** Runs `plugins:bisect` without other processes. */
  const bisectHere = async (path: string, options: Options = {}) => {
    const { out, json } = commandOutput();
    const site = () => Promise.reject(new Error("the attempts start their own"));
    const input = { root, args: [path], options: { json: true, ...options }, out, site };
    const code = await bisectPlugins({ ...toolsOf(input.root), ...input }, tryHere);
    const [{ blame, plugins }] = json as [{ blame: string; plugins: string[] }];
    return { code, blame, plugins };
  };

  it("find the plugin that breaks an address, also one that ends the process", async () => {
    const broken = await bisectHere("/broken");
    assert.deepEqual(broken, { code: 1, blame: "plugins", plugins: ["./plugins/c.ts"] });
    const { code, text } = await run("plugins:bisect", "http://localhost:8000/ends", "--json");
    const { blame, plugins } = JSON.parse(text);
    assert.deepEqual([code, blame, plugins], [1, "plugins", ["./plugins/c.ts"]]);
  });

  const hanging = (body: string) => ({
    "site.yaml": "title: T\nplugins: [./plugins/a.ts, ./plugins/hangs.ts]\n",
    "plugins/a.ts": plugin("a", quiet),
    "plugins/hangs.ts": plugin("hangs", body),
  });

  it("find a plugin that blocks the whole process, within a time limit", async () => {
    const ended = await withRoot(hanging(BLOCKS), (own) =>
      runIn(own, "plugins:bisect", "/", "--json"),
    );
    const { blame, plugins, symptom } = JSON.parse(ended.text);
    assert.deepEqual([ended.code, blame, plugins], [1, "plugins", ["./plugins/hangs.ts"]]);
    assert.match(symptom, /^no response within \d+ s$/);
  });

  it("fail a startup that never finishes", async () => {
    const ended = await withRoot(hanging(WAITS), (own) =>
      runIn(own, "plugins:probe", "/", "--timeout", "2", "--json"),
    );
    assert.equal(ended.code, 1);
    const answer = { status: null, body: "", error: "no response within 2 s" };
    assert.deepEqual(JSON.parse(ended.text), answer);
  });

  it("find that the theme, nothing, or the site without both is the cause", async () => {
    assert.equal((await bisectHere("/item")).blame, "theme");
    assert.deepEqual(await bisectHere("/"), { code: 0, blame: "fine", plugins: [] });
    assert.equal((await bisectHere("/", { contains: "no such text" })).blame, "content");
  });

  it("reject an invalid address and an invalid status", async () => {
    const errors = async (path: string, options: Options = {}) =>
      (await runHere(root, "plugins:bisect", [path], options)).errors;
    assert.match(await errors("blog"), /ERR_CLI_OPTION/);
    assert.match(await errors("/", { expect: "ok" }), /ERR_CLI_OPTION/);
    assert.match(await errors("/", { timeout: "0" }), /ERR_CLI_OPTION/);
  });

  it("request one address of a site without some plugins", async () => {
    const probe = async (options: Options = {}) =>
      (await runHere(root, "plugins:probe", ["/broken"], { json: true, ...options })).json.status;
    assert.equal(await probe(), 500);
    assert.equal(await probe({ without: "./plugins/c.ts" }), 404);
    assert.equal(await probe({ safe: true }), 404);
  });

  it("explain an error code of the kernel or of a plugin, case-insensitively", async () => {
    assert.match((await run("errors:explain", "ERR_PORT_IN_USE")).text, /--port/);
    const explain = (code: string, options: Options = {}) =>
      runHere(root, "errors:explain", [code], options);
    const { json: theme } = await explain("err_theme_missing", { json: true });
    assert.deepEqual([theme.code, theme.area], ["ERR_THEME_MISSING", "render"]);
    const page = readFileSync(join(repository, "content/06.extend/09.errors/docs.md"), "utf8");
    assert.ok(page.includes(`\n### ${theme.code}\n`));
    assert.equal(theme.page, "/extend/errors#err_theme_missing");
    const { json: parameter } = await explain("ERR_HTTP_PARAMETER", { json: true });
    assert.deepEqual([parameter.code, parameter.area], ["ERR_HTTP_PARAMETER", "kernel"]);
    assert.ok(page.includes("\n### ERR_HTTP_PARAMETER\n"));
    const { json: theirs } = await explain("ERR_OF_A", { json: true });
    assert.deepEqual([theirs.text, theirs.page], ["Of a.", null]);
    assert.match((await explain("ERR_THEME_MISSIN")).errors, /did you mean ERR_THEME_MISSING/);
  });
});
