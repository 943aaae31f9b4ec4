import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { packageRoot } from "#lib/packages";
import { workerEntry } from "#kernel";

const ENTRIES = [
  "plugins/markdown/render/threads/render-worker",
  "plugins/media/engines/image-worker",
  "plugins/static/make/export-worker",
  "plugins/main",
];

/** `workerEntry` in a process that runs the sources or the compiled code. */
function entryIn(module: string, ...options: string[]): { file: string; execArgv?: string[] } {
  const url = pathToFileURL(join(packageRoot(), module)).href;
  const program = `const { workerEntry } = await import(${JSON.stringify(url)});
console.log(JSON.stringify(workerEntry("plugins/main")));`;
  const { SITEWRIGHT_DIST: _, ...env } = process.env;
  const words = [...options, "--input-type=module", "--eval", program];
  return JSON.parse(execFileSync(process.execPath, words, { cwd: packageRoot(), env }).toString());
}

describe("workerEntry", () => {
  it("is a compiled file of the build for every thread and child process", () => {
    for (const path of ENTRIES) {
      const { file } = workerEntry(path);
      assert.equal(file, join(packageRoot(), "dist", `${path}.js`));
      assert.ok(existsSync(file), file);
    }
  });

  it("does not pass on the options with which this process loads sources", () => {
    assert.deepEqual(workerEntry("plugins/main").execArgv, []);
  });

  it("is the source, with a loader, in other processes that run sources", () => {
    const options = ["--conditions=source", "--import=tsx"];
    const { file, execArgv = [] } = entryIn("kernel/boot/worker-entry.ts", ...options);
    assert.equal(file, join(packageRoot(), "plugins/main.ts"));
    assert.deepEqual(execArgv.slice(0, 2), ["--conditions=source", "--import"]);
    assert.match(execArgv[2] ?? "", /^data:text\/javascript,import.*tsx/);
  });

  it("is the compiled file, with the options of the process, in compiled code", () => {
    const entry = entryIn("dist/kernel/index.js");
    assert.deepEqual(entry, { file: join(packageRoot(), "dist/plugins/main.js") });
  });
});
