import assert from "node:assert/strict";
import { addPluginCommand, updateCommand } from "../../../../plugins/packages/commands/sources.js";
import { usePackageSite } from "../../../support/packages/package-site.js";

describe("plugin:update", function () {
  this.timeout(240_000);
  const { registry, read, write, run } = usePackageSite();
  const specifiers = async () => JSON.parse(await read("site.lock")).specifiers;
  beforeEach(async () => {
    for (const name of ["kit", "other"]) registry.current.publish({ name, version: "1.0.0" });
    await run(addPluginCommand, ["npm:kit@^1.0.0"]);
    await run(addPluginCommand, ["npm:other@~1.0.0"]);
    for (const name of ["kit", "other"]) {
      for (const version of ["1.0.1", "1.1.0", "2.0.0"])
        registry.current.publish({ name, version });
    }
  });

  it("updates all, or the named ones, to the newest version in their range", async () => {
    await run(updateCommand, ["kit"]);
    assert.deepEqual(await specifiers(), {
      "npm:kit@^1.0.0": "kit@1.1.0",
      "npm:other@~1.0.0": "other@1.0.0",
    });
    await run(updateCommand);
    assert.equal((await specifiers())["npm:other@~1.0.0"], "other@1.0.1");
  });

  it("writes the new range with --latest, of the same kind, and keeps comments", async () => {
    await run(updateCommand, ["other"], { latest: true });
    assert.equal(
      await read("site.yaml"),
      "# our site\ntitle: T # short\nplugins:\n  - src: npm:kit@^1.0.0\n  - src: npm:other@~2.0.0\n",
    );
    assert.deepEqual(await specifiers(), {
      "npm:kit@^1.0.0": "kit@1.0.0",
      "npm:other@~2.0.0": "other@2.0.0",
    });
  });

  it("skips versions that are too young, and reports an unknown name", async () => {
    registry.current.publish({ name: "kit", version: "1.2.0", ageDays: 1 });
    await write("system.yaml", "packages: { minimum_dependency_age: { days: 7 } }\n");
    await run(updateCommand, ["kit"]);
    assert.equal((await specifiers())["npm:kit@^1.0.0"], "kit@1.1.0");
    await assert.rejects(run(updateCommand, ["kat"]), { code: "ERR_PACKAGE_ENTRY" });
  });
});
