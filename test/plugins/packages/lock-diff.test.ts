import assert from "node:assert/strict";
import type { SiteLock } from "#lib/packages";
import { checkLock, inconsistency, lockDifferences } from "../../../plugins/packages/lock-diff.js";
import { listPackages } from "../../../plugins/packages/sources.js";

const age = { days: 0, exclude: [] as string[] };
const lock: SiteLock = {
  version: 1,
  minimumDependencyAge: age,
  specifiers: { "npm:a@^1.0.0": "a@1.2.0" },
  packages: { "a@1.2.0": { integrity: "sha512-a" } },
};
const installed = { "node_modules/a": { version: "1.2.0", integrity: "sha512-a" } };

describe("checkLock", () => {
  const check = (plugins: unknown[], more: Partial<Parameters<typeof checkLock>[0]> = {}) => {
    const wanted = listPackages({ site: { plugins } });
    const known = plugins.flatMap((one) => (typeof one === "string" ? one : Object(one).src));
    return checkLock({ lock, installed, wanted, known, age, ...more }).map(
      ({ section, key, kind }) => `${kind} ${section} ${key}`,
    );
  };
  it("finds nothing where all agree", () => assert.deepEqual(check(["npm:a@^1.0.0"]), []));
  it("finds missing pins, and pins that are not configured", () => {
    assert.deepEqual(check(["npm:b@^1.0.0"]), [
      "added specifiers npm:b@^1.0.0",
      "removed specifiers npm:a@^1.0.0",
    ]);
  });
  it("keeps the pin of a disabled plugin", () => {
    assert.deepEqual(check([{ src: "npm:a@^1.0.0", enabled: false }]), []);
  });
  it("finds packages that differ from their pin", () => {
    const blocked = ["blocked specifiers npm:a@^1.0.0"];
    assert.deepEqual(check(["npm:a@^1.0.0"], { installed: null }), blocked);
    const other = { "node_modules/a": { version: "1.2.1", integrity: "sha512-a" } };
    assert.deepEqual(check(["npm:a@^1.0.0"], { installed: other }), blocked);
  });
  it("finds an age rule that has changed for a package since the lock was written", () => {
    const changed = ["upgraded minimumDependencyAge a"];
    assert.deepEqual(check(["npm:a@^1.0.0"], { age: { days: 3, exclude: [] } }), changed);
    assert.deepEqual(check(["npm:a@^1.0.0"], { age: { days: 3, exclude: ["a"] } }), []);
  });
});

describe("inconsistency", () => {
  it("finds the leftovers of a manual merge", () => {
    assert.equal(inconsistency(lock), null);
    const broken: Partial<SiteLock>[] = [
      { specifiers: { "npm:a@^2.0.0": "a@1.2.0" } },
      { specifiers: { "npm:b@^1.0.0": "a@1.2.0" } },
      { specifiers: { "npm:a@^1.0.0": "a@1.3.0" } },
      { packages: { "a@1.2.0": { dependencies: ["b@1.0.0"] } } },
    ];
    for (const change of broken) assert.notEqual(inconsistency({ ...lock, ...change }), null);
  });
  it("accepts the name and the version of a tarball or a commit", () => {
    for (const src of ["file:./a.tgz", "git+https://host/x.git#0123"]) {
      assert.equal(inconsistency({ ...lock, specifiers: { [src]: "a@1.2.0" } }), null);
      assert.notEqual(inconsistency({ ...lock, specifiers: { [src]: "b@1.2.0" } }), null);
    }
  });
});

describe("lockDifferences", () => {
  it("distinguishes added, upgraded and removed", () => {
    const next = {
      ...lock,
      specifiers: { "npm:a@^1.0.0": "a@1.3.0", "npm:c@1.0.0": "c@1.0.0" },
      packages: { "a@1.3.0": { integrity: "sha512-n" }, "c@1.0.0": { integrity: "sha512-c" } },
    };
    assert.deepEqual(
      lockDifferences(lock, next).map(({ kind, key }) => `${kind} ${key}`),
      [
        "upgraded npm:a@^1.0.0",
        "added npm:c@1.0.0",
        "removed a@1.2.0",
        "added a@1.3.0",
        "added c@1.0.0",
      ],
    );
  });
});
