import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeRoot, withRoot } from "../../support/config-root.js";
import { repository } from "../../support/repository.js";

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

describe("commands that inspect plugins", function () {
  this.timeout(120_000);
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
  });

  it("explain a hook in text output, also one without handlers", async () => {
    assert.match(
      (await run("plugins:explain", "onApiResponse")).text,
      /1\. b 1\.2\.0 \(third-party\)/,
    );
    assert.match((await run("plugins:explain", "onThemeSwitch")).text, /no handlers/);
  });

  it("reject an undeclared hook, with the nearest name", async () => {
    const { code, errors } = await run("plugins:explain", "onApiRespons");
    assert.equal(code, 1);
    assert.match(errors, /ERR_HOOK_UNKNOWN[^]*onApiResponse[^]*errors:explain ERR_HOOK_UNKNOWN/);
  });

  it("find the plugin that breaks an address, also one that ends the process", async () => {
    for (const path of ["/broken", "http://localhost:8000/ends"]) {
      const { code, text } = await run("plugins:bisect", path, "--json");
      const { blame, plugins } = JSON.parse(text);
      assert.deepEqual([code, blame, plugins], [1, "plugins", ["./plugins/c.ts"]], path);
    }
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
    const blame = async (...args: string[]) =>
      JSON.parse((await run("plugins:bisect", ...args, "--json")).text).blame;
    assert.equal(await blame("/item"), "theme");
    assert.equal(await blame("/"), "fine");
    assert.equal(await blame("/", "--contains", "no such text"), "content");
  });

  it("reject an invalid address and an invalid status", async () => {
    assert.match((await run("plugins:bisect", "blog")).errors, /ERR_CLI_OPTION/);
    assert.match((await run("plugins:bisect", "/", "--expect", "ok")).errors, /ERR_CLI_OPTION/);
    assert.match((await run("plugins:bisect", "/", "--timeout", "0")).errors, /ERR_CLI_OPTION/);
  });

  it("request one address of a site without some plugins", async () => {
    const probe = async (...args: string[]) =>
      JSON.parse((await run("plugins:probe", "/broken", ...args, "--json")).text).status;
    assert.equal(await probe(), 500);
    assert.equal(await probe("--without", "./plugins/c.ts"), 404);
    assert.equal(await probe("--safe"), 404);
  });

  it("explain an error code of the kernel or of a plugin, case-insensitively", async () => {
    assert.match((await run("errors:explain", "ERR_PORT_IN_USE")).text, /--port/);
    const theme = JSON.parse((await run("errors:explain", "err_theme_missing", "--json")).text);
    assert.deepEqual([theme.code, theme.area], ["ERR_THEME_MISSING", "render"]);
    const page = readFileSync(join(repository, "content/04.extend/09.errors/docs.md"), "utf8");
    assert.ok(page.includes(`\n### ${theme.code}\n`));
    assert.equal(theme.page, "/extend/errors#err_theme_missing");
    const theirs = JSON.parse((await run("errors:explain", "ERR_OF_A", "--json")).text);
    assert.deepEqual([theirs.text, theirs.page], ["Of a.", null]);
    assert.match(
      (await run("errors:explain", "ERR_THEME_MISSIN")).errors,
      /did you mean ERR_THEME_MISSING/,
    );
  });
});
