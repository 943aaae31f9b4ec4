import assert from "node:assert/strict";
import { join } from "node:path";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { installedTree, installedVersion, readInstalled } from "#lib/packages";
import { Npm } from "../../../plugins/packages/npm.js";
import { NpmRegistry } from "../../support/packages/npm-registry.js";
import { usePackageSite } from "../../support/packages/package-site.js";

const none = { days: 0, exclude: [] };
/** npm before it had an age rule: it does not know the setting. */
const former = [
  process.execPath,
  "-e",
  `const args = process.argv.slice(1);
   if (args[0] === "config") console.log("undefined");
   else process.exitCode = require("node:child_process").spawnSync("npm", args, { stdio: "inherit" }).status;`,
];

describe("npm", function () {
  this.timeout(240_000);
  const { folder, registry, read } = usePackageSite();
  beforeEach(() => {
    const scripts = { postinstall: "touch ../../pwned", install: "touch ../../pwned" };
    const dependencies = { dep: "^1.0.0" };
    registry.current.publish({ name: "kit", version: "1.0.0", dependencies });
    registry.current.publish({ name: "kit", version: "1.1.0", ageDays: 2, dependencies, scripts });
    registry.current.publish({ name: "dep", version: "1.0.0" });
    registry.current.publish({ name: "dep", version: "1.0.5", ageDays: 1, scripts });
  });
  const tree = async () =>
    Object.keys(installedTree((await readInstalled(folder.path)) ?? {}, "kit"));

  it("returns versions, their times and the recommended one", async () => {
    const published = await new Npm(folder.path).published("kit");
    assert.deepEqual(published.versions, ["1.0.0", "1.1.0"]);
    assert.equal(published.latest, "1.1.0");
    assert.ok(Date.parse(published.time["1.1.0"] ?? "") > Date.now() - 3 * 86_400_000);
  });

  it("uses the registry of the root, not of a folder above it", async () => {
    const other = new NpmRegistry();
    await other.start();
    try {
      other.publish({ name: "kit", version: "9.9.9" });
      // A root without package.json, in another project.
      const root = join(folder.path, "sites", "mine");
      await mkdir(root, { recursive: true });
      await writeFile(join(root, ".npmrc"), `registry=${registry.current.url}\n`);
      await writeFile(join(folder.path, ".npmrc"), `registry=${other.url}\n`);
      await writeFile(join(folder.path, "package.json"), "{}");
      const npm = new Npm(root);
      assert.equal((await npm.published("kit")).latest, "1.1.0");
      await npm.install([{ name: "kit", version: "1.1.0" }], { days: 1, exclude: [] });
      assert.deepEqual(other.asked, []);
      assert.equal(installedVersion((await readInstalled(root)) ?? {}, "kit"), "1.1.0");
    } finally {
      await other.stop();
    }
  });

  it("reports npm's message for an unknown package", async () => {
    await assert.rejects(new Npm(folder.path).published("nothing-here"), {
      code: "ERR_PACKAGE_NPM",
      message: /^npm view failed: E404 /,
    });
  });

  it("reports that npm is missing", async () => {
    const npm = new Npm(folder.path, [join(folder.path, "no-npm")]);
    await assert.rejects(npm.published("kit"), { code: "ERR_PACKAGE_NPM", fix: /install Node/ });
  });

  it("installs an exact version into the root, and runs none of its scripts", async () => {
    await new Npm(folder.path).install([{ name: "kit", version: "1.1.0" }], none);
    assert.deepEqual(await tree(), ["dep@1.0.5", "kit@1.1.0"]);
    assert.equal(JSON.parse(await read("package.json")).dependencies.kit, "1.1.0");
    assert.equal(existsSync(join(folder.path, "pwned")), false);
    await new Npm(folder.path).uninstall(["kit"]);
    assert.equal(installedVersion((await readInstalled(folder.path)) ?? {}, "kit"), null);
  });

  it("applies the minimum age to the dependencies of a package", async () => {
    await new Npm(folder.path).install([{ name: "kit", version: "1.0.0" }], {
      days: 7,
      exclude: [],
    });
    assert.deepEqual(await tree(), ["dep@1.0.0", "kit@1.0.0"]);
  });

  it("applies it to the dependencies of an excluded package too", async () => {
    const age = { days: 7, exclude: ["kit"] };
    await new Npm(folder.path).install([{ name: "kit", version: "1.1.0" }], age);
    assert.deepEqual(await tree(), ["dep@1.0.0", "kit@1.1.0"]);
  });

  it("does both with an npm without such a rule, except for dependencies of excluded packages", async () => {
    registry.current.publish({ name: "other", version: "1.0.0", dependencies: { dep: "^1.0.0" } });
    const age = { days: 7, exclude: ["kit"] };
    const npm = new Npm(folder.path, former);
    await npm.install([{ name: "other", version: "1.0.0" }], age);
    const installed = (await readInstalled(folder.path)) ?? {};
    assert.deepEqual(Object.keys(installedTree(installed, "other")), ["dep@1.0.0", "other@1.0.0"]);
    await npm.install([{ name: "kit", version: "1.1.0" }], age);
    assert.equal(installedVersion((await readInstalled(folder.path)) ?? {}, "kit"), "1.1.0");
  });
});
