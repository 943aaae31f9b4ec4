import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { packageRoot } from "#lib/packages";
import { makeRoot } from "../../support/sites/config-root.js";
import {
  killProcess,
  startProcess,
  type SiteProcess,
} from "../../support/processes/site-process.js";

const urlOf = (file: string): string => pathToFileURL(join(packageRoot(), "dist", file)).href;
/** A command line with the first-party plugins, but without their server. */
const PROGRAM = `const { main } = await import(${JSON.stringify(urlOf("kernel/cli/main.js"))});
const { firstParty } = await import(${JSON.stringify(urlOf("plugins/main.js"))});
const { server, ...program } = firstParty;
await main(process.argv, program);
`;

describe("a program without a server of its own", () => {
  let root = "";
  let bin = "";
  let running: SiteProcess | null = null;
  before(async () => {
    root = await makeRoot({ "site.yaml": "title: T\n", "content/default.md": "# Hello\n" });
    bin = join(root, "bin.mjs");
    await writeFile(bin, PROGRAM);
  });
  after(() => rm(root, { recursive: true, force: true }));
  afterEach(async () => {
    if (running !== null) await killProcess(running);
    running = null;
  });
  const run = (...args: string[]): SiteProcess =>
    (running = startProcess([...args, "--root", root, "--port", "0"], { bin }));

  it("serves a site with one process, which locks the root and stops on a signal", async () => {
    const started = run("serve");
    const [, port] = await started.printed(/localhost:(\d+)/);
    await started.printed(/ready after/);
    assert.equal((await fetch(`http://127.0.0.1:${port}/`)).status, 200);
    const lock = join(root, ".dune/admin/server.lock");
    assert.ok(existsSync(lock));
    const second = startProcess(["serve", "--root", root, "--port", "0"], { bin });
    assert.equal(await second.ended(), 1);
    assert.match(second.text(), /ERR_ROOT_LOCKED/);
    started.child.kill("SIGTERM");
    assert.equal(await started.ended(), 0);
    assert.ok(!existsSync(lock));
  });

  it("cannot replace a running site", async () => {
    const started = run("dev");
    assert.equal(await started.ended(), 2);
    assert.match(started.text(), /cannot replace a running site/);
  });
});
