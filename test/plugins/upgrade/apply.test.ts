import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { SiteError } from "#kernel";
import { ProcessLock } from "#lib/files";
import { until } from "../../support/until.js";
import { InstalledSite, PackageVersions } from "../../support/packages/upgrade-packages.js";

const run = promisify(execFile);

// A plugin of the site that works with the first version only, as the file `mode` says.
const PLUGIN = `import { readFileSync, writeFileSync } from "node:fs";
import { definePlugin } from "sitewright";

const read = (path) => readFileSync(new URL(path, import.meta.url), "utf8");

export default definePlugin({
  name: "fragile",
  version: "1.0.0",
  engine: "^1.0.0",
  async setup(site) {
    const file = site.config.home + "/node_modules/sitewright/package.json";
    const { version } = JSON.parse(readFileSync(file, "utf8"));
    const mode = readFileSync(site.config.home + "/mode", "utf8");
    if (version === "0.4.0") return;
    if (mode === "throws") throw new Error("this plugin hates " + version);
    if (mode === "hangs") writeFileSync(site.config.home + "/check.pid", String(process.pid));
    if (mode === "hangs") await new Promise((resolve) => setTimeout(resolve, 600_000));
    site.http.use("identity", (req, res, next) => {
      next(mode === "page" && req.headers.accept === "text/html" ? new Error("no page") : undefined);
    });
  },
});
`;

// Creates files in a folder without an end, also when the folder is removed.
const WRITER = `
  const { mkdirSync, writeFileSync } = require("node:fs");
  let at = 0;
  setInterval(() => {
    try {
      mkdirSync(process.argv[1], { recursive: true });
      writeFileSync(process.argv[1] + "/" + at, "");
    } catch {}
    if (at === 0) process.stdout.write("writes");
    at += 1;
  }, 2);
`;

// An npm that writes to a file until it is killed.
const ENDLESS_NPM = `#!/usr/bin/env node
const file = require("node:path").join(__dirname, "..", "ticks");
setInterval(() => require("node:fs").appendFileSync(file, "."), 20);
`;

describe("site upgrade --apply", function () {
  this.timeout(240_000);
  let folder: string;
  let site: InstalledSite;
  let next: string;
  let other: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "site-upgrade-test-"));
    const versions = new PackageVersions(folder);
    await versions.build();
    const first = await versions.pack("0.4.0");
    other = await versions.pack("0.6.0", (contract) => {
      Object.assign(contract, { pluginApi: "2.0.0" });
    });
    await writeFile(join(folder, "package", "dist", "new-file.js"), "export {};\n");
    next = await versions.pack("0.5.0");
    site = new InstalledSite(join(folder, "home"));
    await site.install(first);
    await site.write("mode", "works");
    const config = `title: T # ours\nplugins:\n  - src: ./plugins/fragile.ts\n    config: { home: "${site.home}" }\n`;
    await site.write("site/site.yaml", config);
    await site.write("site/content/home.md", "# Home\n");
    await site.write("site/plugins/fragile.ts", PLUGIN);
    await rename(site.home, join(folder, "pristine"));
  });
  beforeEach(() => copyHome("pristine"));
  after(() => rm(folder, { recursive: true, force: true }));

  const copyHome = async (from: string): Promise<void> => {
    await rm(site.home, { recursive: true, force: true });
    // Thousands of files: the program is many times cheaper than `fs.cp`.
    await run("cp", ["-a", join(folder, from), site.home]);
  };
  const state = (): string => join(site.home, "node_modules", ".sitewright-upgrade");
  const version = async (): Promise<string> =>
    JSON.parse(await site.read("node_modules/sitewright/package.json")).version;
  const range = async (): Promise<string> =>
    JSON.parse(await site.read("package.json")).dependencies.sitewright;
  const apply = (...more: readonly string[]) => {
    return site.site("upgrade", "--apply", "--no-backup", "--to", next, ...more);
  };
  const assertFirst = async (): Promise<void> => {
    assert.equal(await version(), "0.4.0");
    assert.match(await range(), /sitewright-0\.4\.0\.tgz$/);
    assert.equal(existsSync(join(site.home, "node_modules/sitewright/dist/new-file.js")), false);
    assert.equal(existsSync(join(state(), "journal.json")), false);
  };

  it("changes nothing when the plan excludes the version", async () => {
    const { code, stderr } = await site.site("upgrade", "--apply", "--to", other);
    assert.equal(code, 1);
    assert.match(stderr, /plugin fragile needs plugin API \^1\.0\.0[^]*ERR_UPGRADE_BLOCKED/);
    await assertFirst();
  });

  it("is refused while another upgrade of the installation runs", async () => {
    await mkdir(state(), { recursive: true });
    const locked = (): SiteError => new SiteError("ERR_UPGRADE_RUNNING", "locked");
    const lock = await ProcessLock.acquire(join(state(), "upgrade.lock"), { locked });
    try {
      const { code, stderr } = await apply();
      assert.equal(code, 1);
      assert.match(stderr, /another process upgrades this installation[^]*ERR_UPGRADE_RUNNING/);
      await assertFirst();
    } finally {
      lock.release();
    }
  });

  it("brings the former version back when a plugin does not start, and when a page fails", async () => {
    for (const [mode, reason] of [
      ["throws", /this plugin hates 0\.5\.0/],
      ["page", /Error: no page[^]*GET \/\S* responds with 500/],
    ] as const) {
      await site.write("mode", mode);
      const { code, stderr } = await apply();
      assert.equal(code, 1);
      assert.match(stderr, reason);
      assert.match(stderr, /ERR_UPGRADE_CHECK/);
      await assertFirst();
    }
    assert.equal((await site.site("config:validate")).code, 0);
  });

  it("ends a check that takes too long", async () => {
    await site.write("mode", "hangs");
    const { code, stderr } = await apply("--timeout", "2");
    assert.equal(code, 1);
    assert.match(stderr, /no result within 2 s[^]*ERR_UPGRADE_CHECK/);
    await assertFirst();
  });

  it("leaves a site that starts when it is killed, at any point of the swap", async () => {
    await site.write("mode", "hangs");
    const bin = join(site.home, "node_modules/sitewright/kernel/cli/bin.mjs");
    const args = ["upgrade", "--apply", "--no-backup", "--to", next, "--root", site.root];
    const child = spawn(process.execPath, [bin, ...args], { cwd: site.home, stdio: "ignore" });
    const isSwapped = (): boolean =>
      existsSync(join(site.home, "node_modules/sitewright/dist/new-file.js"));
    // It packs, unpacks and compares thousands of files first.
    await until(isSwapped);
    const refused = await site.site("config:validate");
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /upgrades this installation: wait/);
    await until(() => existsSync(join(site.home, "check.pid")));
    child.kill("SIGKILL");
    await once(child, "exit");
    const check = Number(await site.read("check.pid"));
    await until(() => !existsSync(`/proc/${check}`));
    await rename(site.home, join(folder, "killed"));
    for (const steps of [0, 1, 2, 3]) {
      await copyHome("killed");
      await stepBack(site.home, steps);
      const { code, stderr } = await site.site("config:validate");
      assert.equal(code, 0, stderr);
      assert.match(
        stderr,
        /the upgrade to 0\.5\.0 was interrupted, 0\.4\.0 is back/,
        `${steps} steps`,
      );
      await assertFirst();
    }
  });

  it("succeeds right after one that was killed while npm worked, and removes its folder", async () => {
    await site.write("mode", "works");
    const work = join(state(), "stage-killed");
    const nested = join(work, "node_modules/other");
    await mkdir(nested, { recursive: true });
    // As npm of the killed upgrade: it goes on.
    const writer = spawn(process.execPath, ["-e", WRITER, nested], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(writer.stdout, "data");
    const { code, stderr } = await apply();
    assert.equal(code, 0, stderr);
    assert.equal(await version(), "0.5.0");
    writer.kill("SIGKILL");
    await once(writer, "exit");
    assert.equal((await site.site("upgrade", "--undo")).code, 0);
    const again = await apply();
    assert.equal(again.code, 0, again.stderr);
    assert.deepEqual(
      (await readdir(state())).filter((name) => name.startsWith("stage-")),
      [],
    );
  });

  it("kills npm when it is killed", async () => {
    await site.write("bin/npm", ENDLESS_NPM);
    await chmod(join(site.home, "bin/npm"), 0o755);
    const bin = join(site.home, "node_modules/sitewright/kernel/cli/bin.mjs");
    const args = ["upgrade", "--apply", "--no-backup", "--to", next, "--root", site.root];
    const child = spawn(process.execPath, [bin, ...args], {
      cwd: site.home,
      stdio: "ignore",
      env: { ...process.env, PATH: `${join(site.home, "bin")}:${process.env.PATH}` },
    });
    const ticks = (): Promise<string> => site.read("ticks").catch(() => "");
    await until(async () => (await ticks()) !== "");
    child.kill("SIGKILL");
    await once(child, "exit");
    await until(async () => {
      const before = await ticks();
      await delay(200);
      return before === (await ticks());
    });
  });

  it("backs up, installs and checks; --undo goes back and keeps what was written since", async () => {
    await site.write("mode", "works");
    const { code, stdout, stderr } = await site.site("upgrade", "--apply", "--to", next, "--json");
    assert.equal(code, 0, stderr);
    const upgraded = JSON.parse(stdout);
    assert.deepEqual([upgraded.from, upgraded.to, upgraded.migrated], ["0.4.0", "0.5.0", []]);
    assert.ok(existsSync(upgraded.backup));
    assert.equal(await version(), "0.5.0");
    assert.match(await range(), /sitewright-0\.5\.0\.tgz$/);
    assert.ok(existsSync(join(site.home, "node_modules/sitewright/dist/new-file.js")));

    await site.write("site/content/later.md", "# Later\n");
    const config = await site.read("site/site.yaml");
    await site.write("site/site.yaml", config.replace("title: T", "title: Later"));
    const manifest = JSON.parse(await site.read("package.json"));
    manifest.dependencies.other = "^1.0.0";
    await site.write("package.json", JSON.stringify(manifest));
    const undone = await site.site("upgrade", "--undo");
    assert.equal(undone.code, 0, undone.stderr);
    assert.match(undone.stdout, /version 0\.4\.0 is back; content is unchanged/);
    await assertFirst();
    assert.equal(await site.read("site/content/later.md"), "# Later\n");
    assert.match(await site.read("site/site.yaml"), /title: Later # ours/);
    assert.equal(JSON.parse(await site.read("package.json")).dependencies.other, "^1.0.0");

    const again = await site.site("upgrade", "--undo");
    assert.equal(again.code, 1);
    assert.match(again.stderr, /ERR_UPGRADE_UNDO/);
  });

  it("waits for no server: it fails while one runs on the root", async () => {
    const bin = join(site.home, "node_modules/sitewright/kernel/cli/bin.mjs");
    const child = spawn(process.execPath, [bin, "serve", "--port", "0", "--root", site.root], {
      cwd: site.home,
      stdio: ["ignore", "pipe", "inherit"] as const,
    });
    try {
      let text = "";
      child.stdout?.on("data", (chunk: Buffer) => (text += chunk.toString()));
      await until(() => /ready after/.test(text));
      const { code, stderr } = await apply();
      assert.equal(code, 1);
      assert.match(stderr, /ERR_ROOT_LOCKED/);
    } finally {
      child.kill("SIGTERM");
      await once(child, "exit");
    }
  });
});

/** The states of a swap that was killed earlier: entries that are not in place, and one that is nowhere. */
async function stepBack(home: string, steps: number): Promise<void> {
  const modules = join(home, "node_modules");
  const folder = join(modules, "sitewright");
  const swap = join(modules, ".sitewright-upgrade");
  const journal = JSON.parse(await readFile(join(swap, "journal.json"), "utf8"));
  const units: { path: string }[] = journal.units.toReversed().slice(0, steps);
  for (const [at, { path }] of units.entries()) {
    const had = existsSync(join(swap, "old", path));
    if (existsSync(join(folder, path))) await rename(join(folder, path), join(swap, "new", path));
    if (had && at < steps - 1) await rename(join(swap, "old", path), join(folder, path));
  }
  assert.ok((await readdir(folder)).includes("kernel"));
}
