import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { checkCommand, syncCommand } from "../../../../plugins/packages/commands/lockfile.js";
import { usePackageSite } from "../../../support/packages/package-site.js";

describe("lockfile:sync and lockfile:check", function () {
  this.timeout(240_000);
  const { folder, registry, read, write, run } = usePackageSite();
  const src = "npm:kit@^1.0.0";
  beforeEach(async () => {
    registry.current.publish({ name: "kit", version: "1.0.0", dependencies: { dep: "^1.0.0" } });
    registry.current.publish({ name: "dep", version: "1.0.0" });
    await write("site.yaml", `title: T\nplugins:\n  - src: ${src}\n`);
  });
  const check = () => run(checkCommand, [], { json: true });

  it("agree after a sync, and the check is offline and read-only", async () => {
    assert.deepEqual((await check()).json.diffs, [
      { section: "specifiers", key: src, kind: "added", from: null, to: null },
    ]);
    assert.equal((await run(syncCommand)).code, 0);
    const lock = await read("site.lock");
    registry.current.asked.length = 0;
    const { code, json } = await check();
    const report = { diffs: [], consistent: true, inconsistencyError: null };
    assert.deepEqual([code, json], [0, { ok: true, lockfilePath: "site.lock", ...report }]);
    assert.deepEqual([registry.current.asked, await read("site.lock")], [[], lock]);
    assert.deepEqual(Object.keys(JSON.parse(lock).packages), ["dep@1.0.0", "kit@1.0.0"]);
  });

  it("report drift of the configuration, of node_modules and of the age rule: exit 1", async () => {
    await run(syncCommand);
    await write("system.yaml", "packages: { minimum_dependency_age: { days: 3 } }\n");
    assert.deepEqual((await check()).json.diffs[0].section, "minimumDependencyAge");
    await run(syncCommand);
    assert.equal((await check()).code, 0);
    await rm(join(folder.path, "node_modules"), { recursive: true });
    assert.deepEqual((await check()).json.diffs[0].kind, "blocked");
    await run(syncCommand);
    await write("site.yaml", "title: T\n");
    const { code, lines, errors } = await run(checkCommand);
    assert.equal(code, 1);
    assert.match(lines.join(), /- npm:kit/);
    assert.match(errors.join(), /run site lockfile:sync/);
  });

  it("report a lock that contradicts itself, as after a manual merge", async () => {
    await run(syncCommand);
    await write("site.lock", (await read("site.lock")).replace('"kit@1.0.0": {', '"kit@1.0.1": {'));
    const { code, json } = await check();
    assert.deepEqual([code, json.consistent], [1, false]);
    assert.match(json.inconsistencyError, /not in packages/);
  });

  it("says that there is no site.lock where no package needs one", async () => {
    await write("site.yaml", "title: T\n");
    const { code, lines } = await run(checkCommand);
    assert.equal(code, 0);
    assert.deepEqual(lines, ["✓ the site uses no packages of others, so it needs no site.lock"]);
  });

  it("names each step that takes long, and that packages of the site come first", async () => {
    const { errors } = await run(syncCommand);
    assert.deepEqual(errors, [
      "installing kit@1.0.0 and the packages of package.json, which may take minutes",
    ]);
    registry.current.publish({ name: "kit", version: "1.1.0" });
    const more = await run(syncCommand, [], { upgrade: ["kit"], json: true });
    assert.deepEqual(more.errors, ["installing kit@1.1.0"]);
  });

  it("--upgrade accepts names or specifiers, several at once", async () => {
    await run(syncCommand);
    registry.current.publish({ name: "kit", version: "1.1.0" });
    assert.equal((await run(syncCommand)).code, 0);
    assert.match(await read("site.lock"), /"kit@1\.0\.0"/);
    await run(syncCommand, [], { upgrade: [`kit,${src}`] });
    assert.match(await read("site.lock"), /"kit@1\.1\.0"/);
    await assert.rejects(run(syncCommand, [], { upgrade: ["nobody"] }), {
      code: "ERR_PACKAGE_ENTRY",
    });
  });
});
