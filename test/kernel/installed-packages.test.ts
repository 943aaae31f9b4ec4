import assert from "node:assert/strict";
import { installedTree, installedVersion, readInstalled } from "#kernel";
import { inFolder } from "../support/probe-folder.js";

const installed = {
  "node_modules/a": { version: "1.0.0", integrity: "sha512-a", dependencies: { b: "^1", c: "^1" } },
  "node_modules/a/node_modules/b": { version: "1.5.0", integrity: "sha512-b1" },
  "node_modules/b": { version: "2.0.0", integrity: "sha512-b2" },
  "node_modules/c": { version: "1.0.0", integrity: "sha512-c", dependencies: { b: "^2", a: "*" } },
  "node_modules/@x/y": { version: "3.0.0", dependencies: { lost: "*" } },
};

describe("installedTree", () => {
  it("finds what each package gets, nearest first, and ends where packages need each other", () => {
    assert.deepEqual(installedTree(installed, "a"), {
      "a@1.0.0": { integrity: "sha512-a", dependencies: ["b@1.5.0", "c@1.0.0"] },
      "b@1.5.0": { integrity: "sha512-b1" },
      "b@2.0.0": { integrity: "sha512-b2" },
      "c@1.0.0": { integrity: "sha512-c", dependencies: ["a@1.0.0", "b@2.0.0"] },
    });
  });
  it("leaves out what is not there", () => {
    assert.deepEqual(installedTree(installed, "@x/y"), { "@x/y@3.0.0": {} });
    assert.deepEqual(installedTree(installed, "nothing"), {});
    assert.equal(installedVersion(installed, "nothing"), null);
  });
});

describe("readInstalled", () => {
  it("reads npm's own note, and nothing of a note that is torn or missing", async () => {
    const file = "node_modules/.package-lock.json";
    await inFolder({ [file]: JSON.stringify({ packages: installed }) }, async (root) => {
      assert.equal((await readInstalled(root))?.["node_modules/b"]?.version, "2.0.0");
    });
    await inFolder({ [file]: '{"packages": {' }, async (root) => {
      assert.equal(await readInstalled(root), null);
    });
    await inFolder({}, async (root) => assert.equal(await readInstalled(root), null));
  });
});
