import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { packageRoot } from "#lib/packages";
import { buildWhenStale } from "../../scripts/build.mjs";
import { licencesOf } from "../../scripts/licences.mjs";
import { panelPackages } from "../../scripts/panel-client.mjs";
import { textOf } from "../support/repository.js";

const licenceOf = (entry: object, manifest: object | null = null) =>
  licencesOf({ packages: { "node_modules/a": { version: "1.0.0", ...entry } } }, () => manifest);

describe("the licences of the packages", () => {
  it("are all known and permitted", () => {
    const script = join(packageRoot(), "scripts/licences.mjs");
    const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: "utf8" });
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^ *\d+ {2}MIT$/m);
  });

  it("are refused when they are unknown or not permitted", () => {
    const refused = ["GPL-3.0-only", "UNLICENSED", "MIT AND GPL-2.0", "SEE LICENSE IN x"];
    for (const license of refused) {
      assert.equal(licenceOf({ license }).unknown[0]?.licence, license, license);
    }
    assert.equal(licenceOf({}).unknown[0]?.licence, "unknown");
    assert.equal(licenceOf({ license: "MPL-2.0" }).unknown.length, 1);
  });

  it("are read from expressions, old manifests and development packages", () => {
    for (const license of ["MIT", "(MIT OR GPL-2.0)", "Apache-2.0 AND MIT"]) {
      assert.deepEqual(licenceOf({ license }).unknown, [], license);
    }
    assert.deepEqual(licenceOf({ license: "MPL-2.0", dev: true }).unknown, []);
    assert.deepEqual(licenceOf({}, { license: { type: "ISC" } }).unknown, []);
    assert.deepEqual(licenceOf({}, { licenses: [{ type: "MIT" }, { type: "X" }] }).unknown, []);
  });
});

describe("the notices of the package", () => {
  it("name every package in the bundles of the panel, with the text of its licence", async () => {
    await buildWhenStale();
    const notices = textOf("dist/bundled-packages.txt");
    const entries = new Map(
      notices.split(/\n\n-{80}\n\n/).map((entry) => [entry.split("\n")[0] ?? "", entry]),
    );
    const folders = await panelPackages(packageRoot());
    assert.ok(folders.length > 50, `${folders.length}`);
    for (const folder of folders) {
      const { name, version, license } = JSON.parse(textOf(`${folder}/package.json`));
      const [title, entry] =
        [...entries].find(([line]) => line.startsWith(`${name} ${version} (${license}), in: `)) ??
        assert.fail(`no notice of ${name}`);
      assert.match(title, /in: .*panel/);
      assert.match(entry, /copyright|licen[cs]e/i, name);
      assert.ok(entry.length > 400, name);
    }
  });
});
