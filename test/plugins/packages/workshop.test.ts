import assert from "node:assert/strict";
import { readRawConfig } from "#kernel";
import { Npm } from "../../../plugins/packages/npm.js";
import { parseSource } from "../../../plugins/packages/command-input.js";
import { usePackageSite } from "../../support/packages/package-site.js";

describe("sourceFrom", function () {
  this.timeout(240_000);
  const { folder, registry, write } = usePackageSite();
  const source = async (given: string) => {
    const config = await readRawConfig(folder.path);
    const npm = new Npm(folder.path);
    const age = { days: 0, exclude: [] };
    return parseSource(given, { root: folder.path, config, age, npm, now: Date.now() });
  };

  it("leaves pinned specifiers unchanged, without any request", async () => {
    await write("plugins/a/index.ts", "");
    for (const given of [
      "npm:kit@1.0.0",
      "npm:@acme/kit@~1.2",
      "./plugins/a",
      "./plugins/a/index.ts",
    ]) {
      assert.equal(await source(given), given);
    }
    assert.deepEqual(registry.current.asked, []);
  });

  it("pins a scoped name too", async () => {
    registry.current.publish({ name: "@acme/kit", version: "0.3.1" });
    assert.equal(await source("@acme/kit"), "npm:@acme/kit@^0.3.1");
  });
});
