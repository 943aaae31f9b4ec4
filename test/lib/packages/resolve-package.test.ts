import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { resolvePackage } from "../../../lib/packages/resolve-package.js";
import { inFolder } from "../../support/probe-folder.js";

const commit = "0123456789abcdef0123456789abcdef01234567";
const record = {
  "node_modules/kit": { version: "1.1.0", resolved: "https://host/kit.tgz" },
  "node_modules/packed": { version: "2.0.0", resolved: "file:vendor/packed.tgz" },
  "node_modules/@x/cloned": { version: "3.0.0", resolved: `git+ssh://host/x.git#${commit}` },
};
const files = {
  "node_modules/.package-lock.json": JSON.stringify({ packages: record }),
  "node_modules/kit/package.json": '{ "version": "1.1.0", "main": "lib/index.js" }',
  "node_modules/packed/package.json": '{ "version": "2.0.0", "main": "index.js" }',
  "node_modules/@x/cloned/package.json": '{ "version": "3.0.0" }',
};

describe("resolvePackage", () => {
  it("finds the main module of a package from npm, a tarball or git", () =>
    inFolder(files, async (root) => {
      for (const [src, expected] of [
        ["npm:kit@^1.0.0", join(root, "node_modules/kit/lib/index.js")],
        ["file:./vendor/packed.tgz", join(root, "node_modules/packed/index.js")],
        [`git+https://host/x.git#${commit}`, "@x/cloned"],
      ] as const) {
        assert.equal(await resolvePackage(src, { root, loaded: new Map() }), expected);
      }
    }));

  it("refuses another version of a package that this process has loaded", () =>
    inFolder(files, async (root) => {
      const src = "npm:kit@^1.0.0";
      const install = (version: string): Promise<void> =>
        writeFile(
          join(root, "node_modules/kit/package.json"),
          JSON.stringify({ version, main: "lib/index.js" }),
        );
      const loaded = new Map<string, string>();
      const resolve = (): Promise<string> => resolvePackage(src, { root, loaded });
      await resolve();
      await install("1.2.0");
      await assert.rejects(resolve(), {
        code: "ERR_PLUGIN_RESTART",
        message:
          'plugin npm:kit@^1.0.0: version 1.2.0 of package "kit" is installed, this process runs 1.1.0',
        fix: "restart the server: a process loads a package only once",
      });
      await install("1.1.0");
      assert.equal(await resolve(), join(root, "node_modules/kit/lib/index.js"));
    }));

  it("does not take a package for loaded that is not accepted", () =>
    inFolder(files, async (root) => {
      const loaded = new Map<string, string>();
      const accept = (...asked: string[]): Promise<void> => Promise.reject(new Error(asked.join()));
      await assert.rejects(resolvePackage("npm:kit@^1.0.0", { root, loaded, accept }), {
        message: `${root},npm:kit@^1.0.0`,
      });
      assert.deepEqual([...loaded], []);
    }));

  for (const [src, message] of [
    ["npm:kit@^2.0.0", /version 1\.1\.0 is installed/],
    ["npm:none@^1.0.0", /package "none" is not installed/],
    ["file:./vendor/other.tgz", /its package is not installed/],
    [`git+https://host/x.git#${commit.replace("0", "f")}`, /its package is not installed/],
    ["git+https://host/x.git#main", /its package is not installed/],
  ] as const) {
    it(`rejects ${src} where another package is installed`, () =>
      inFolder(files, async (root) => {
        await assert.rejects(resolvePackage(src, { root, loaded: new Map() }), {
          code: "ERR_PLUGIN_LOAD",
          message,
        });
      }));
  }
});
