import assert from "node:assert/strict";
import { installedName, installedTree, installedVersion, readInstalled } from "#lib/packages";
import { inFolder } from "../../support/probe-folder.js";

const installed = {
  "node_modules/a": { version: "1.0.0", integrity: "sha512-a", dependencies: { b: "^1", c: "^1" } },
  "node_modules/a/node_modules/b": { version: "1.5.0", integrity: "sha512-b1" },
  "node_modules/b": { version: "2.0.0", integrity: "sha512-b2" },
  "node_modules/c": { version: "1.0.0", integrity: "sha512-c", dependencies: { b: "^2", a: "*" } },
  "node_modules/@x/y": { version: "3.0.0", dependencies: { lost: "*" } },
};

describe("installedTree", () => {
  it("resolves each dependency, nearest first, and handles cycles", () => {
    assert.deepEqual(installedTree(installed, "a"), {
      "a@1.0.0": { integrity: "sha512-a", dependencies: ["b@1.5.0", "c@1.0.0"] },
      "b@1.5.0": { integrity: "sha512-b1" },
      "b@2.0.0": { integrity: "sha512-b2" },
      "c@1.0.0": { integrity: "sha512-c", dependencies: ["a@1.0.0", "b@2.0.0"] },
    });
  });
  it("omits missing packages", () => {
    assert.deepEqual(installedTree(installed, "@x/y"), { "@x/y@3.0.0": {} });
    assert.deepEqual(installedTree(installed, "nothing"), {});
    assert.equal(installedVersion(installed, "nothing"), null);
  });
});

describe("installedName", () => {
  const commit = "0123456789abcdef0123456789abcdef01234567";
  const archives = {
    "node_modules/a": { version: "1.0.0", resolved: "file:vendor/a.tgz" },
    "node_modules/@x/b": { version: "1.0.0", resolved: `git+ssh://git@host/x/b.git#${commit}` },
    "node_modules/c/node_modules/d": { version: "1.0.0", resolved: "file:vendor/d.tgz" },
    "node_modules/e": { version: "1.0.0", resolved: `https://host/e.tgz#${commit}0` },
  };

  it("is that of the package from the same file or commit, at the top", () => {
    const url = "git+https://host/x/b.git";
    assert.equal(installedName(archives, { kind: "tarball", path: "vendor/a.tgz" }), "a");
    assert.equal(installedName(archives, { kind: "git", url, commit }), "@x/b");
    for (const path of ["vendor/d.tgz", "a.tgz"]) {
      assert.equal(installedName(archives, { kind: "tarball", path }), null);
    }
    const other = `${commit.slice(1)}0`;
    assert.equal(installedName(archives, { kind: "git", url, commit: other }), null);
  });
});

describe("the files of packages without a registry integrity", () => {
  const record = {
    "node_modules/a": { version: "1.0.0", resolved: "file:a.tgz" },
    "node_modules/a/node_modules/own": { version: "1.0.0", inBundle: true },
    "node_modules/a/node_modules/b": { version: "1.0.0", resolved: "https://host/b.tgz" },
    "node_modules/c": { version: "1.0.0", resolved: "https://host/c.tgz" },
  };
  const digests = (changed: Readonly<Record<string, string>>): Promise<(string | undefined)[]> =>
    inFolder(
      {
        "node_modules/.package-lock.json": JSON.stringify({ packages: record }),
        "node_modules/a/index.js": "a",
        "node_modules/a/node_modules/own/index.js": "own",
        "node_modules/a/node_modules/b/index.js": "b",
        "node_modules/a/node_modules/.bin/b": "b",
        "node_modules/c/index.js": "c",
        ...changed,
      },
      async (root) => {
        const installed = await readInstalled(root);
        return ["a", "c"].map((name) => installed?.[`node_modules/${name}`]?.files);
      },
    );

  it("have a digest, including bundled packages, but not other ones", async () => {
    const [a, c] = await digests({});
    assert.match(String(a), /^sha512-/);
    assert.equal(c, undefined);
    for (const path of ["index.js", "node_modules/own/index.js"]) {
      assert.notDeepEqual(await digests({ [`node_modules/a/${path}`]: "x" }), [a, c], path);
    }
    for (const path of ["node_modules/b/index.js", "node_modules/.bin/b"]) {
      assert.deepEqual(await digests({ [`node_modules/a/${path}`]: "x" }), [a, c], path);
    }
  });
});

describe("readInstalled", () => {
  it("reads npm's hidden lockfile, and nothing of a truncated or missing one", async () => {
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
