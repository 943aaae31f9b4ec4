import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { packageRoot, readPackage } from "#lib/packages";

describe("packageRoot", () => {
  it("is the folder with the package's manifest and the default theme", () => {
    assert.ok(isAbsolute(packageRoot()));
    assert.ok(existsSync(join(packageRoot(), "themes", "default")));
  });

  it("reads the manifest from there", () => {
    const { name, version } = readPackage();
    assert.equal(name, "sitewright");
    assert.match(version, /^\d+\.\d+\.\d+/);
  });
});
