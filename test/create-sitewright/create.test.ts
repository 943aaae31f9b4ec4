import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { PassThrough } from "node:stream";
import { parse } from "yaml";
import { main } from "../../create-sitewright/create.mjs";
import { callingManager } from "../../create-sitewright/package-manager.mjs";
import { LOOKS, PRESETS } from "../../create-sitewright/questions.mjs";
import { PRESETS as OFFERED } from "../../plugins/render/settings.js";
import { useFolder } from "../support/folder.js";
import { repository, textOf } from "../support/repository.js";
import { until } from "../support/until.js";

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

describe("create-sitewright", () => {
  const folder = useFolder();

  /** Runs the program in the folder. */
  const create = (words: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
    new Promise((done) => {
      const program = join(repository, "create-sitewright/index.mjs");
      const child = spawn(process.execPath, [program, ...words], {
        cwd: folder.path,
        env: { ...process.env, npm_config_user_agent: "", npm_execpath: "", ...env },
      });
      const ended: Ended = { code: null, out: "", err: "" };
      child.stdout.on("data", (text) => (ended.out += text));
      child.stderr.on("data", (text) => (ended.err += text));
      child.on("close", (code) => done({ ...ended, code }));
    });

  /** A package manager that runs this shell script, as `npm_config_user_agent` names it. */
  const managedBy = async (name: string, script: string): Promise<Record<string, string>> => {
    const bin = join(folder.path, ".bin");
    await mkdir(bin, { recursive: true });
    await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(bin, name), 0o755);
    return {
      npm_config_user_agent: `${name}/10.1.0 node/v22`,
      PATH: `${bin}${delimiter}${process.env["PATH"]}`,
    };
  };
  const names = async (): Promise<string[]> =>
    (await readdir(folder.path)).filter((name) => name !== ".bin");

  it("offers the presets and looks of the program, in its version", () => {
    assert.deepEqual(Object.keys(PRESETS), OFFERED);
    assert.deepEqual(
      Object.keys(LOOKS),
      Object.keys(parse(textOf("themes/default/theme.yaml")).looks),
    );
    const versions = ["package.json", "create-sitewright/package.json"].map(
      (file) => JSON.parse(textOf(file)).version,
    );
    assert.equal(versions[0], versions[1]);
    assert.equal(
      JSON.parse(textOf("create-sitewright/package.json")).engines.node,
      JSON.parse(textOf("package.json")).engines.node,
    );
  });

  it("writes package.json alone with --no-install, and prints the remaining commands", async () => {
    const { code, out } = await create(["my notes", "--no-install", "--preset", "blog"]);
    assert.equal(code, 0);
    assert.deepEqual(await readdir(join(folder.path, "my notes")), ["package.json"]);
    const manifest = JSON.parse(await readFile(join(folder.path, "my notes/package.json"), "utf8"));
    assert.match(manifest.dependencies.sitewright, /^\^\d/);
    assert.match(
      out,
      /after cd 'my notes':\n {2}npm install .*\n {2}npx sitewright new \. --preset blog /,
    );
  });

  for (const [words, message] of [
    [["--preset", "shop"], /--preset is "shop"\n {2}fix: use site, docs, blog, portfolio/],
    [["--look", "loud"], /--look is "loud"\n {2}fix: use paper, slate, book, poster/],
    [["--languages", "english"], /--languages is "english"\n {2}fix: .*en,pt-BR/],
    [["--colour", "red"], /Unknown option '--colour'/],
    [["a", "b"], /one folder is expected/],
    [[".bin"], /".bin" is not empty \(npm\)\n {2}fix: choose a folder/],
  ] as const) {
    it(`rejects ${words.join(" ")} with exit code 2, and creates nothing`, async () => {
      await managedBy("npm", "exit 1");
      const { code, err } = await create(words);
      assert.equal(code, 2, err);
      assert.match(err, message);
      assert.deepEqual(await names(), []);
    });
  }

  for (const [name, script, message] of [
    [
      "pnpm",
      "echo 'ERR EAI_AGAIN registry'; exit 1",
      /pnpm cannot reach its registry \(EAI_AGAIN\)/,
    ],
    ["yarn", "echo 'disk full' >&2; exit 7", /disk full[^]*yarn install failed with exit code 7/],
    ["npm", "mkdir node_modules", /sitewright new failed/],
  ] as const) {
    it(`leaves nothing behind when ${name} runs ${script}`, async () => {
      const env = await managedBy(name, script);
      const { code, err } = await create(["deep/site", "--look", "book"], env);
      assert.equal(code, 1, err);
      assert.match(err, message);
      assert.match(err, /nothing was created\n {2}fix: /);
      assert.deepEqual(await names(), []);
    });
  }

  it("keeps what was in the folder before a failure", async () => {
    await mkdir(join(folder.path, "site/.git"), { recursive: true });
    await writeFile(join(folder.path, "site/.npmrc"), "registry=http://127.0.0.1:9/\n");
    const { code } = await create(["site"], await managedBy("npm", "mkdir node_modules; exit 1"));
    assert.equal(code, 1);
    assert.deepEqual((await readdir(join(folder.path, "site"))).toSorted(), [".git", ".npmrc"]);
  });

  it("keeps the loader of Yarn's Plug'n'Play from what it runs", async () => {
    const [loader, other] = [join(folder.path, ".pnp.cjs"), join(folder.path, "other.cjs")];
    await writeFile(loader, "");
    await writeFile(other, "");
    const env = {
      ...(await managedBy("yarn", 'echo "options: [$NODE_OPTIONS]"; exit 1')),
      NODE_OPTIONS: `--require ${loader} --require ${other}`,
    };
    assert.match((await create(["site"], env)).err, /options: \[--require \S+other\.cjs\]/);
    const alone = { ...env, NODE_OPTIONS: `--require "${loader}"` };
    assert.match((await create(["site"], alone)).err, /options: \[\]/);
  });

  it("runs the package manager that called it", () => {
    const called = (npm_config_user_agent?: string, npm_execpath?: string) =>
      callingManager({ npm_config_user_agent, npm_execpath });
    assert.deepEqual(called().command, ["npm"]);
    assert.deepEqual(called("npm/11.1.0 node/v22", "/lib/npm/bin/npm-cli.js").command, [
      process.execPath,
      "/lib/npm/bin/npm-cli.js",
    ]);
    assert.deepEqual(called("pnpm/10.0.0 npm/? node/v22", "/lib/npm/bin/npm-cli.js").command, [
      "pnpm",
    ]);
    assert.deepEqual(called("yarn/4.1.0 npm/?").isBerry, true);
    assert.deepEqual(called("yarn/1.22.0 npm/?").isBerry, false);
    assert.deepEqual(called("bun/1.2.0").command, ["bun"]);
    assert.deepEqual(called("other/1.0.0").command, ["npm"]);
  });

  describe("at a terminal", () => {
    /** Answers the questions in order; resolves with the exit code and the output. */
    const talk = async (words: readonly string[], answers: readonly string[]) => {
      const input = Object.assign(new PassThrough(), { isTTY: true });
      const output = Object.assign(new PassThrough(), { isTTY: true });
      let shown = "";
      output.on("data", (text) => (shown += text));
      const ended = main(words, "0.4.0", { input, output });
      for (const [at, answer] of answers.entries()) {
        await until(() => (shown.match(/\): /g) ?? []).length > at);
        if (answer === "end") input.end();
        else input.write(`${answer}\n`);
      }
      return { code: await ended, shown };
    };

    it("asks for folder, preset, title, languages and look, and again after a wrong answer", async () => {
      const path = join(folder.path, "asked");
      const { code, shown } = await talk(
        ["--no-install"],
        [path, "9", "portfolio", "", "english", "de,en", "3"],
      );
      assert.equal(code, 0, shown);
      assert.match(shown, /"9": use 1 to 4/);
      assert.match(
        shown,
        /sitewright new \. --preset portfolio --name asked --languages de,en --look book/,
      );
    });

    it("asks only for what no option sets, and nothing with --yes", async () => {
      const path = join(folder.path, "some");
      const given = [path, "--no-install", "--preset", "docs", "--languages", "en"];
      const { shown } = await talk(given, ["Manual", ""]);
      assert.match(shown, /--preset docs --name Manual --languages en --look paper/);
      const other = await talk([join(folder.path, "yes"), "--no-install", "--yes"], []);
      assert.doesNotMatch(other.shown, /\(.*\): /);
    });

    it("creates nothing when the input ends", async () => {
      const path = join(folder.path, "ended");
      const { code } = await talk(["--no-install"], [path, "end"]);
      assert.equal(code, 130);
      assert.deepEqual(await names(), []);
    });
  });
});
