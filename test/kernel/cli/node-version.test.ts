import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";

const bin = fileURLToPath(new URL("../../../kernel/cli/bin.mjs", import.meta.url));

/** Runs `site --version`, or another command, where Node says that it has other versions. */
function runOn(version: string, others: Record<string, string> = {}, word = "--version") {
  const changed = JSON.stringify({ node: version, ...others });
  const versions = `{ value: { ...process.versions, ...${changed} } }`;
  const fake = `globalThis.process = Object.create(process, { versions: ${versions} });`;
  const preload = `data:text/javascript,${encodeURIComponent(fake)}`;
  return spawnSync(process.execPath, ["--import", preload, bin, word], { encoding: "utf8" });
}

describe("the version of Node", () => {
  for (const version of ["14.0.0", "18.20.8", "20.9.0", "20.19.4"]) {
    it(`${version} is rejected in two lines with the fix`, () => {
      const { status, stdout, stderr } = runOn(version);
      const [wrong = "", fix = "", ...others] = stderr.trimEnd().split("\n");
      assert.match(wrong, /needs Node\.js 20\.19\.5 or newer, this is /);
      assert.ok(wrong.endsWith(version), wrong);
      assert.match(fix, /^ {2}fix: install a newer version/);
      assert.deepEqual([status, stdout, others], [2, "", []]);
    });
  }

  for (const version of ["20.19.5", "20.20.0", "22.0.0", "100.1.0"]) {
    it(`${version} runs`, () => {
      const { status, stderr } = runOn(version);
      assert.deepEqual([status, stderr], [0, ""]);
    });
  }

  it("is read in syntax that Node 14 knows", async () => {
    const text = readFileSync(bin, "utf8");
    const { code } = await transform(text, { target: "node14.0.0", format: "esm" });
    const { code: newest } = await transform(text, { target: "esnext", format: "esm" });
    assert.equal(code, newest);
    assert.doesNotMatch(text, /from "node:/);
  });
});

describe("Yarn's Plug'n'Play", () => {
  it("is rejected in two lines with the fix", () => {
    const { status, stdout, stderr } = runOn(process.versions.node, { pnp: "3" }, "serve");
    assert.match(
      stderr,
      /^site: Yarn's Plug'n'Play is not supported\n {2}fix: .*node-modules.*\n$/,
    );
    assert.deepEqual([status, stdout], [2, ""]);
  });
});
