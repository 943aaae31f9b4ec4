import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readSiteLock } from "#lib/packages";
import {
  addPluginCommand,
  addThemeCommand,
  removePluginCommand,
  updateCommand,
  listCommand,
} from "../../plugins/packages/commands/sources.js";
import { checkCommand, syncCommand } from "../../plugins/packages/commands/lockfile.js";
import {
  commitPlugin,
  packPlugin,
  pluginSource,
  tagPlugin,
} from "../support/packages/package-archives.js";
import { usePackageSite } from "../support/packages/package-site.js";
import { useFolder } from "../support/folder.js";
import { startProcess } from "../support/processes/site-process.js";

describe("plugins from tarballs and from git", function () {
  this.timeout(240_000);
  const { folder, read, run, write } = usePackageSite();
  const elsewhere = useFolder();
  const tarball = "file:./vendor/site-hello-1.0.0.tgz";
  const at = (...parts: string[]): string => join(folder.path, ...parts);
  const installed = (): string => at("node_modules", "site-hello", "index.js");

  const pack = async (words: string): Promise<void> => {
    await write("vendor/.keep", "");
    const file = at("vendor/site-hello-1.0.0.tgz");
    await packPlugin(file, { name: "site-hello", words });
  };
  const commit = (words: string): Promise<string> =>
    commitPlugin(elsewhere.path, { name: "site-hello", words });
  const repository = (): string => `git+file://${elsewhere.path}`;
  const hello = async (): Promise<{ code: number | null; text: string }> => {
    const process = startProcess(["hello", "--root", folder.path]);
    return { code: await process.ended(), text: process.text() };
  };

  /** The output of `site serve` when it does not start. */
  const refusal = async (): Promise<string> => {
    const served = startProcess(["serve", "--root", folder.path, "--port", "0"]);
    assert.equal(await served.ended(), 1, served.text());
    return served.text();
  };

  it("adds a tarball: installs it, pins its files, lists it, runs it", async () => {
    await pack("from a tarball");
    assert.equal((await run(addPluginCommand, ["file:vendor/site-hello-1.0.0.tgz"])).code, 0);
    assert.match(
      await read("site.yaml"),
      /# our site\n[^]*src: file:\.\/vendor\/site-hello-1\.0\.0\.tgz/,
    );
    const lock = await readSiteLock(folder.path);
    assert.deepEqual(lock?.specifiers, { [tarball]: "site-hello@1.0.0" });
    const pinned = lock.packages["site-hello@1.0.0"];
    assert.match(String(pinned?.integrity), /^sha512-/);
    assert.match(String(pinned?.files), /^sha512-/);
    assert.deepEqual(await hello(), { code: 0, text: "from a tarball\n" });
    assert.equal((await run(checkCommand)).code, 0);
  });

  it("adds a branch, a tag or HEAD of a repository as its commit", async () => {
    const first = await commit("first");
    await tagPlugin(elsewhere.path, "v1.0.0");
    const second = await commit("second");
    for (const [given, expected] of [
      [repository(), second],
      [`${repository()}#main`, second],
      [`${repository()}#v1.0.0`, first],
      [`${repository()}#${first}`, first],
    ] as const) {
      await write("site.yaml", "title: T\n");
      await rm(at("site.lock"), { force: true });
      assert.equal((await run(addPluginCommand, [given])).code, 0, given);
      const src = `${repository()}#${expected}`;
      assert.ok((await read("site.yaml")).includes(`src: ${src}`), given);
      assert.deepEqual((await readSiteLock(folder.path))?.specifiers, {
        [src]: "site-hello@1.0.0",
      });
    }
    assert.deepEqual(await hello(), { code: 0, text: "first\n" });
  });

  it("rejects files that differ from the lock", async () => {
    await commit("as it was");
    await run(addPluginCommand, [repository()]);
    await writeFile(installed(), pluginSource("edited"));
    assert.match(
      await refusal(),
      /site-hello@1\.0\.0 differs from the bytes pinned in site\.lock ERR_LOCK_DRIFT/,
    );
    assert.doesNotMatch((await hello()).text, /edited/);
    assert.equal((await run(checkCommand)).code, 1);
    const [row] = (await run(listCommand, [], { json: true })).json.items;
    assert.deepEqual([row.state, row.installed, row.locked], ["drift", "1.0.0", "1.0.0"]);
    const { code: synced, errors } = await run(syncCommand);
    assert.equal(synced, 1);
    assert.match(errors.join("\n"), /differs from the bytes/);
  });

  it("gives the pinned bytes back with one command, which every message names", async () => {
    await pack("as packed");
    await run(addPluginCommand, [tarball]);
    const lock = await read("site.lock");
    await writeFile(installed(), pluginSource("edited"));
    const fix = /site lockfile:sync --reinstall, which installs the pinned bytes again/;
    const all = /site lockfile:sync(?! --reinstall)/;
    for (const text of [
      await refusal(),
      (await run(checkCommand)).errors.join("\n"),
      (await run(syncCommand)).errors.join("\n"),
    ]) {
      assert.match(text, fix);
      assert.doesNotMatch(text, all);
    }
    assert.equal((await run(syncCommand, [], { reinstall: true })).code, 0);
    assert.equal(await read("site.lock"), lock);
    assert.deepEqual(await hello(), { code: 0, text: "as packed\n" });

    await pack("other bytes");
    await writeFile(installed(), pluginSource("edited"));
    await rm(at("package-lock.json"));
    const { code, errors } = await run(syncCommand, [], { reinstall: true });
    assert.equal(code, 1);
    assert.match(errors.join("\n"), /other bytes now: find out why; site lockfile:sync --upgrade/);
  });

  it("rejects an added file, and reinstalls what is pinned on request", async () => {
    await commit("as committed");
    await run(addPluginCommand, [repository()]);
    const lock = await read("site.lock");
    await writeFile(at("node_modules/site-hello/extra.js"), "");
    assert.equal((await hello()).code, 2);
    const src = (await read("site.yaml")).match(/src: (.*)/)?.[1] ?? "";
    assert.equal((await run(syncCommand, [], { upgrade: [src] })).code, 0);
    assert.equal(await read("site.lock"), lock);
    assert.deepEqual(await hello(), { code: 0, text: "as committed\n" });
  });

  it("installs from the lock where nothing is installed, and rejects another tarball", async () => {
    await pack("the first");
    await run(addPluginCommand, [tarball]);
    const files = ["site.yaml", "site.lock"];
    const before = await Promise.all(files.map(read));
    await rm(at("node_modules"), { recursive: true });
    assert.equal((await run(syncCommand)).code, 0);
    assert.deepEqual(await hello(), { code: 0, text: "the first\n" });
    assert.deepEqual(await Promise.all(files.map(read)), before);

    await pack("the second");
    for (const name of ["node_modules", "package-lock.json"])
      await rm(at(name), { recursive: true });
    const { code, errors } = await run(syncCommand);
    assert.equal(code, 1);
    assert.match(errors.join("\n"), /differs from the bytes pinned in site\.lock/);
    assert.equal((await hello()).code, 2);
    assert.equal((await run(syncCommand, [], { upgrade: ["site-hello"] })).code, 0);
    assert.deepEqual(await hello(), { code: 0, text: "the second\n" });
  });

  it("names the command to run when nothing is installed", async () => {
    const src = `${repository()}#${await commit("x")}`;
    await write("site.yaml", `title: T\nplugins:\n  hello: { src: "${src}" }\n`);
    assert.match(
      await refusal(),
      /its package is not installed ERR_PLUGIN_LOAD[^]*run site lockfile:sync/,
    );
    assert.equal((await run(syncCommand)).code, 0);
    assert.equal((await hello()).text, "x\n");
  });

  it("removes what it has added", async () => {
    await pack("x");
    await run(addPluginCommand, [tarball]);
    assert.equal((await run(removePluginCommand, ["site-hello"])).code, 0);
    assert.doesNotMatch(await read("site.yaml"), /plugins/);
    assert.deepEqual((await readSiteLock(folder.path))?.packages, {});
    await assert.rejects(readFile(installed()), { code: "ENOENT" });
  });

  it("lists one package once, and does not change a pin when plugins are updated", async () => {
    await pack("x");
    await commit("y");
    await run(addPluginCommand, [tarball]);
    const lock = await read("site.lock");
    const other = `${elsewhere.path}/site-hello`;
    await commitPlugin(other, { name: "site-hello", words: "z" });
    await assert.rejects(run(addPluginCommand, [`git+file://${other}`]), {
      code: "ERR_PACKAGE_ENTRY",
      fix: "run site plugin:remove site-hello first",
    });
    await assert.rejects(run(updateCommand, ["site-hello"]), { code: "ERR_PACKAGE_ENTRY" });
    assert.equal((await run(updateCommand)).code, 0);
    assert.equal(await read("site.lock"), lock);
  });

  it("rejects paths outside of the site, and invalid addresses", async () => {
    await commit("x");
    const outside = `${elsewhere.path}/x.tgz`;
    for (const given of [
      "file:../x.tgz",
      `file:${outside}`,
      "file:./vendor",
      "file:./none.tgz",
      "git+http://host/x.git",
      "git://host/x.git",
      "git+https://ada:pw@host/x.git#main",
      "git+ext://sh/x",
    ]) {
      await assert.rejects(run(addPluginCommand, [given]), { code: "ERR_PACKAGE_SPEC" }, given);
      await assert.rejects(run(addThemeCommand, [given]), { code: "ERR_PACKAGE_SPEC" }, given);
    }
    for (const given of [`${repository()}#none`, `git+file://${elsewhere.path}/none`]) {
      await assert.rejects(run(addPluginCommand, [given]), { code: "ERR_PACKAGE_GIT" }, given);
    }
    await assert.rejects(read("site.lock"), { code: "ENOENT" });
    assert.equal(await read("site.yaml"), "# our site\ntitle: T # short\n");
  });
});
