import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  addPluginCommand,
  removePluginCommand,
  removeThemeCommand,
} from "../../../../plugins/packages/commands/sources.js";
import { usePackageSite } from "../../../support/packages/package-site.js";

describe("plugin:remove", function () {
  this.timeout(240_000);
  const { folder, registry, read, write, run } = usePackageSite();
  const isInstalled = (): boolean => existsSync(join(folder.path, "node_modules/kit"));
  beforeEach(() => registry.current.publish({ name: "kit", version: "1.0.0" }));

  it("removes a package from site.yaml, site.lock and node_modules", async () => {
    await run(addPluginCommand, ["npm:kit@^1.0.0"]);
    assert.ok(isInstalled());
    const { json } = await run(removePluginCommand, ["kit"], { json: true });
    assert.equal(json.diffs[0].kind, "removed");
    assert.equal(await read("site.yaml"), "# our site\ntitle: T # short\n");
    assert.deepEqual(JSON.parse(await read("site.lock")).packages, {});
    assert.ok(!isInstalled());
  });

  it("keeps a package that is still listed as a theme", async () => {
    await write("site.yaml", "title: T\nthemes: [{name: kit, src: 'npm:kit@^1.0.0'}]\n");
    await run(addPluginCommand, ["npm:kit@^1.0.0"]);
    await run(removePluginCommand, ["npm:kit@^1.0.0"]);
    assert.ok(isInstalled());
    await run(removeThemeCommand, ["kit"]);
    assert.ok(!isInstalled());
    assert.equal(await read("site.yaml"), "title: T\n");
  });

  it("works while the removed plugin prevents the site from starting", async () => {
    await write("site.yaml", "title: T\nplugins:\n  - src: npm:gone@1.0.0\n  - ./broken.ts\n");
    await run(removePluginCommand, ["broken"]).catch(() => undefined);
    assert.doesNotMatch(await read("site.yaml"), /broken/);
    await run(removePluginCommand, ["gone"]);
    assert.equal(await read("site.yaml"), "title: T\n");
  });

  it("lists the configured names when none matches", async () => {
    await write("site.yaml", "title: T\nplugins: [./a.ts]\n");
    await assert.rejects(run(removePluginCommand, ["b"]), {
      code: "ERR_PACKAGE_ENTRY",
      fix: "configured: a",
    });
    await assert.rejects(run(removeThemeCommand, ["a"]), { fix: "none is configured" });
  });
});
