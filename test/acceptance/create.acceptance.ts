import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import { repository } from "../support/repository.js";
import { startServer } from "../support/processes/site-process.js";
import { createTarball, home, runSite, tarball } from "./home.js";
import { writeLock } from "./installed-package.js";

const run = promisify(execFile);

describe("a new site from the packed packages", function () {
  this.timeout(300_000);
  const folder = join(dirname(home), "created");
  let create = "";

  before(async () => {
    await mkdir(folder);
    await writeFile(join(folder, "package.json"), '{ "private": true }\n');
    await run("npm", ["install", "--offline", "--no-audit", createTarball], { cwd: folder });
    create = join(folder, "node_modules", ".bin", "create-sitewright");
  });

  it("is created by npm create sitewright, with all options and without a question", async () => {
    // npm's cache has the packages, but not the lists of their versions.
    const dependencies = { sitewright: `file:../../${basename(tarball)}` };
    const root = { name: "notes", private: true, type: "module", dependencies };
    await writeLock(repository, join(folder, "notes"), { root, resolved: dependencies.sitewright });
    const chosen = ["--preset", "portfolio", "--name", "Ship's log", "--languages", "en,de"];
    const words = ["notes", "--package", tarball, ...chosen, "--look", "book"];
    const env = { ...process.env, npm_config_prefer_offline: "true" };
    const { stdout } = await run(create, words, { cwd: folder, env });
    assert.match(stdout, /Created \d+ files/);
    const next = stdout.slice(stdout.indexOf("Next")).trimEnd().split("\n");
    assert.equal(next[0], "Next, after cd notes:");
    assert.deepEqual(
      next.slice(1).map((line) => line.trim().split(/ {2,}/)[0]),
      ["npm run dev", "npm run start", "npm run build"],
    );
    const site = parse(await readFile(join(folder, "notes", "site.yaml"), "utf8"));
    assert.deepEqual(
      [site.title, site.theme.preset, site.theme.look],
      ["Ship's log", "portfolio", "book"],
    );
    const manifest = JSON.parse(await readFile(join(folder, "notes", "package.json"), "utf8"));
    assert.deepEqual(manifest.dependencies, dependencies);
    assert.equal(manifest.scripts.start, "site serve");
    const bin = join(folder, "notes", "node_modules", ".bin", "site");
    const server = await startServer(join(folder, "notes"), { bin });
    try {
      const html = await (await fetch(`${server.url}/work`)).text();
      assert.match(html, /looks\/book\.css[^]*class="tiles"/);
      assert.equal((await fetch(`${server.url}/de/work/stoneware`)).status, 200);
    } finally {
      server.child.kill();
      await server.ended();
    }
  });

  it("is created by sitewright new with the same options", async () => {
    const root = join(folder, "docs");
    const { code, text } = await runSite(
      "new",
      root,
      "--preset",
      "docs",
      "--name",
      "Manual",
      "--languages",
      "de",
      "--look",
      "slate",
    );
    assert.equal(code, 0, text);
    const site = parse(await readFile(join(root, "site.yaml"), "utf8"));
    assert.deepEqual([site.title, site.theme.preset, site.theme.look], ["Manual", "docs", "slate"]);
  });

  it("leaves nothing behind without a network, and reports how to fix it", async () => {
    const env = {
      ...process.env,
      npm_config_registry: "http://127.0.0.1:9/",
      npm_config_fetch_retries: "0",
      npm_config_cache: join(folder, "empty-cache"),
    };
    const failed = await run(create, ["lost/site", "--preset", "blog"], { cwd: folder, env }).then(
      () => assert.fail("installed"),
      (error: { code: number; stderr: string }) => error,
    );
    assert.equal(failed.code, 1);
    assert.match(
      failed.stderr,
      /npm cannot reach its registry \(ECONNREFUSED\): nothing was created/,
    );
    assert.match(failed.stderr, /npm create sitewright@latest lost\/site -- --preset blog/);
    assert.ok(!(await readdir(folder)).includes("lost"));
  });
});
