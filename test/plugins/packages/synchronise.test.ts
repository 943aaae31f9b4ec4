import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { installedVersion, readInstalled, readSiteLock } from "#lib/packages";
import { Npm } from "../../../plugins/packages/npm.js";
import { synchronise } from "../../../plugins/packages/synchronise.js";
import { usePackageSite } from "../../support/packages/package-site.js";

describe("synchronise", function () {
  this.timeout(240_000);
  const { folder, registry, read, write } = usePackageSite();
  const src = "npm:kit@^1.0.0";
  beforeEach(() => registry.current.publish({ name: "kit", version: "1.0.0", ageDays: 100 }));
  const sync = (
    plugins: unknown[] = [src],
    { days = 0, exclude = [] as string[], upgrade = [] as string[] } = {},
  ) => {
    const root = folder.path;
    const config = { site: { plugins } };
    const workshop = { root, config, age: { days, exclude }, npm: new Npm(root), now: Date.now() };
    return synchronise(workshop, { upgrade: (one) => upgrade.includes(one) });
  };
  const pinned = async () => (await readSiteLock(folder.path))?.specifiers;
  const installed = async () => installedVersion((await readInstalled(folder.path)) ?? {}, "kit");

  it("pins a version until an upgrade is requested", async () => {
    assert.equal((await sync()).diffs[0]?.kind, "added");
    registry.current.publish({ name: "kit", version: "1.1.0", ageDays: 2 });
    const lock = await read("site.lock");
    assert.deepEqual(await sync(), { diffs: [], unchanged: 1, blocked: [] });
    assert.equal(await read("site.lock"), lock);
    assert.equal((await sync([src], { upgrade: [src] })).diffs[0]?.kind, "upgraded");
    assert.deepEqual([await pinned(), await installed()], [{ [src]: "kit@1.1.0" }, "1.1.0"]);
  });

  it("without a lock pins installed versions that fit, and resolves the rest", async () => {
    const other = "npm:tool@^1.0.0";
    registry.current.publish({ name: "tool", version: "1.2.0" });
    await sync();
    registry.current.publish({ name: "kit", version: "1.1.0" });
    await rm(join(folder.path, "site.lock"));
    registry.current.asked.length = 0;
    await sync([src, other], { days: 7 });
    assert.deepEqual(await pinned(), { [src]: "kit@1.0.0", [other]: "tool@1.2.0" });
    assert.ok(!registry.current.asked.includes("kit"));

    registry.current.publish({ name: "kit", version: "2.0.0" });
    await rm(join(folder.path, "site.lock"));
    await sync(["npm:kit@^2.0.0"]);
    assert.deepEqual(await pinned(), { "npm:kit@^2.0.0": "kit@2.0.0" });
  });

  it("installs pinned versions where nothing, or something else, is installed", async () => {
    registry.current.publish({ name: "kit", version: "1.1.0" });
    await sync();
    await new Npm(folder.path).install([{ name: "kit", version: "1.0.0" }], {
      days: 0,
      exclude: [],
    });
    await sync();
    assert.equal(await installed(), "1.1.0");
    await rm(join(folder.path, "node_modules"), { recursive: true });
    await sync();
    assert.equal(await installed(), "1.1.0");
  });

  it("falls back to an older version; a package excluded afterwards is updated at the next sync", async () => {
    registry.current.publish({ name: "kit", version: "1.1.0", ageDays: 2 });
    await sync([src], { days: 7 });
    assert.deepEqual(await pinned(), { [src]: "kit@1.0.0" });
    await sync([src], { days: 7, exclude: ["kit"] });
    assert.deepEqual(await pinned(), { [src]: "kit@1.1.0" });
    await sync([src], { days: 7 });
    assert.deepEqual(await pinned(), { [src]: "kit@1.0.0" });
  });

  it("writes nothing when the registry serves other bytes for a pinned version", async () => {
    await sync();
    const lock = await read("site.lock");
    for (const file of ["node_modules", "package-lock.json", "package.json"]) {
      await rm(join(folder.path, file), { recursive: true });
    }
    registry.current.publish({ name: "kit", version: "1.0.0", code: "// other\n" });
    const result = await sync();
    assert.equal(result.blocked.length, 1);
    assert.equal(result.diffs.at(-1)?.kind, "blocked");
    assert.equal(await read("site.lock"), lock);
    assert.deepEqual((await sync([src], { upgrade: [src] })).blocked, []);
    assert.notEqual(await read("site.lock"), lock);
  });

  it("removes unused pins, and keeps the pin of a disabled plugin", async () => {
    await sync();
    await sync([{ src, enabled: false }]);
    assert.deepEqual(await pinned(), { [src]: "kit@1.0.0" });
    assert.equal((await sync([])).diffs[0]?.kind, "removed");
    assert.deepEqual(await readSiteLock(folder.path).then((lock) => lock?.packages), {});
  });

  it("finds one version for two entries of a package, or reports that none fits", async () => {
    registry.current.publish({ name: "kit", version: "1.2.0" });
    registry.current.publish({ name: "kit", version: "2.0.0" });
    const both = [src, "npm:kit@~1.0.0"];
    await sync(both);
    assert.deepEqual(await pinned(), { [src]: "kit@1.0.0", "npm:kit@~1.0.0": "kit@1.0.0" });
    await assert.rejects(sync([src, "npm:kit@^2.0.0"]), { code: "ERR_PACKAGE_VERSION" });
  });

  it("does not change a truncated lock", async () => {
    await write("site.lock", "{");
    await assert.rejects(sync(), { code: "ERR_LOCK_BROKEN" });
    assert.equal(await read("site.lock"), "{");
  });
});
