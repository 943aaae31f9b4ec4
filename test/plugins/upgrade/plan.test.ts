import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Finding } from "../../../plugins/upgrade/plan/changes.js";
import type { UpgradePlan } from "../../../plugins/upgrade/plan/plan-upgrade.js";
import type { VersionContract } from "../../../plugins/upgrade/plan/version-contract.js";
import { NpmRegistry } from "../../support/packages/npm-registry.js";
import { InstalledSite, PackageVersions } from "../../support/packages/upgrade-packages.js";

const PLUGIN = `import { definePlugin } from "sitewright";

export default definePlugin({
  name: "watcher",
  version: "1.0.0",
  engine: "^1.0.0",
  requires: ["content", "media"],
  hooks: { onPageUpdate: () => undefined },
  setup(site) {
    site.hooks.on("onBeforeRender", () => undefined);
    site.use("media");
  },
});
`;
const CONFIG = `title: T
feed: { items: 5, enabled: true }
plugins:
  - src: ./plugins/watcher.ts
`;

describe("site upgrade --plan", function () {
  this.timeout(240_000);
  let folder: string;
  let site: InstalledSite;
  let versions: PackageVersions;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "site-plan-"));
    versions = new PackageVersions(folder);
    await versions.build();
    site = new InstalledSite(join(folder, "home"));
    await site.install(await versions.pack("0.4.0"));
    await site.write("site/site.yaml", CONFIG);
    await site.write("site/content/home.md", "# Home\n");
    await site.write("site/plugins/watcher.ts", PLUGIN);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const plan = async (
    edit: (contract: VersionContract) => void,
  ): Promise<{ code: number; plan: UpgradePlan }> => {
    const tarball = await versions.pack("0.5.0", edit);
    const { code, stdout, stderr } = await site.site("upgrade", "--to", tarball, "--json");
    assert.equal(stderr, "");
    return { code, plan: JSON.parse(stdout) };
  };
  const named = ({ findings }: UpgradePlan): string[] =>
    findings.map(({ level, kind, name }: Finding) => `${level} ${kind} ${name}`);

  it("finds nothing between versions with the same contract", async () => {
    const same = await plan(() => undefined);
    assert.deepEqual(same.plan, { from: "0.4.0", to: "0.5.0", ok: true, findings: [] });
    assert.equal(same.code, 0);
  });

  it("lists only what concerns the site, with the files that use it", async () => {
    const { code, plan: changed } = await plan((contract) => {
      delete contract.hooks["onPageUpdate"];
      delete contract.hooks["onFlexSave"];
      Object.assign(contract.hooks["onBeforeRender"] ?? {}, { kind: "notify" });
      delete contract.services["media"];
      delete contract.services["flex"];
      contract.settings.site = contract.settings.site.filter(({ key }) => key !== "feed.items");
      for (const row of contract.settings.site) {
        if (row.key === "feed.enabled") row.type = "text";
        if (row.key === "redirect_status") row.default = "308";
      }
      contract.settings.site.push(
        { key: "ai.model", type: "text", default: null, owner: "kernel" },
        { key: "mcp2.on", type: "text", default: null, owner: "not-selected" },
      );
      contract.routes = contract.routes.filter(({ path }) => path !== "/api/search/suggest");
      delete contract.commands["content:list"];
      contract.exports["sitewright"] = [];
    });
    assert.deepEqual(named(changed), [
      "error setting site.feed.items",
      "error hook onBeforeRender",
      "error hook onPageUpdate",
      "error service media",
      "error export definePlugin",
      "warning setting site.feed.enabled",
      "warning setting site.redirect_status",
      "warning route GET /api/search/suggest",
      "warning command content:list",
      "info setting site.ai.model",
    ]);
    const hook = changed.findings.find(({ name }) => name === "onPageUpdate");
    assert.deepEqual(hook?.usedIn, ["plugins/watcher.ts"]);
    const key = changed.findings.find(({ name }) => name === "site.feed.items");
    assert.deepEqual(key?.usedIn, ["site.yaml: feed.items"]);
    assert.ok(!changed.ok);
    assert.equal(code, 1);
  });

  it("says which keys the upgrade migrates", async () => {
    const { code, plan: changed } = await plan((contract) => {
      contract.settings.site = contract.settings.site.filter(({ key }) => key !== "feed.items");
      const keys = ["site.feed.items"];
      contract.migrations.push({ version: "0.5.0", summary: "renames feed.items", keys });
    });
    assert.deepEqual(named(changed), ["info migration site.feed.items"]);
    assert.equal(code, 0);
  });

  it("lists the deprecated features that the site uses", async () => {
    const call = 'site.deprecate("WATCHER_OLD", "mode old is replaced by new", "1.2.0");';
    await site.write("site/plugins/watcher.ts", PLUGIN.replace('site.use("media");', call));
    try {
      const { code, plan: same } = await plan(() => undefined);
      assert.deepEqual(named(same), ["warning deprecation WATCHER_OLD"]);
      const [{ message, usedIn } = { message: "", usedIn: [] }] = same.findings;
      assert.equal(
        `${message} ${usedIn.join(" ")}`,
        "mode old is replaced by new (WATCHER_OLD, deprecated since 1.2.0) plugin watcher",
      );
      assert.equal(code, 0);
    } finally {
      await site.write("site/plugins/watcher.ts", PLUGIN);
    }
  });

  it("excludes a version that needs another Node.js or plugin API", async () => {
    const { code, plan: changed } = await plan((contract) => {
      Object.assign(contract, { node: ">=99", pluginApi: "2.0.0" });
    });
    assert.deepEqual(named(changed), ["error node node", "error plugin watcher"]);
    assert.equal(code, 1);
  });

  it("prints the plan for people, from a folder too", async () => {
    await versions.pack("0.5.0", (contract) => delete contract.hooks["onPageUpdate"]);
    const { code, stdout } = await site.site("upgrade", "--plan", "--to", join(folder, "package"));
    assert.equal(code, 1);
    assert.match(
      stdout,
      /0\.4\.0 → 0\.5\.0\n✗ the hook onPageUpdate no longer exists\n {2}in plugins/,
    );
    assert.match(stdout, /1 errors, 0 warnings\nfix the errors first/);
  });

  it("takes the newest published version that is old enough, or the one that is named", async () => {
    const registry = new NpmRegistry();
    await registry.start();
    try {
      for (const [version, ageDays] of [
        ["0.4.1", 100],
        ["0.5.0", 1],
      ] as const) {
        const contract = { ...versions.contract, version };
        const files = { "dist/contract.json": JSON.stringify(contract) };
        registry.publish({ name: "sitewright", version, ageDays, files });
      }
      await site.write(".npmrc", `registry=${registry.url}\ncache=${join(folder, "npm-cache")}\n`);
      const chosen = async (...args: readonly string[]): Promise<string> => {
        const { stdout, stderr } = await site.site("upgrade", ...args, "--json");
        return stderr === "" ? JSON.parse(stdout).to : stderr;
      };
      assert.equal(await chosen(), "0.5.0");
      assert.equal(await chosen("--to", "^0.4.0"), "0.4.1");
      assert.match(await chosen("--to", "0.9.9"), /ERR_UPGRADE_NPM/);
      const age = "packages: { minimum_dependency_age: { days: 30 } }\n";
      await site.write("site/system.yaml", age);
      assert.equal(await chosen(), "0.4.1");
      assert.match(await chosen("--to", "0.5.0"), /ERR_UPGRADE_NPM/);
    } finally {
      await rm(join(site.root, "system.yaml"), { force: true });
      await rm(join(site.home, ".npmrc"), { force: true });
      await registry.stop();
    }
  });

  it("rejects what is no package, another package and a version without a contract", async () => {
    const refused = async (to: string): Promise<string> => {
      const { code, stderr } = await site.site("upgrade", "--to", to);
      return `${code} ${/ERR_\w+/.exec(stderr)?.[0] ?? stderr}`;
    };
    const other = join(folder, "other.tgz");
    await writeFile(other, "not a tarball");
    assert.equal(await refused(other), "2 ERR_UPGRADE_TARGET");
    assert.equal(await refused(join(folder, "missing.tgz")), "2 ERR_UPGRADE_TARGET");
    const newer = await versions.pack("0.6.0", (contract) =>
      Object.assign(contract, { format: 2 }),
    );
    assert.equal(await refused(newer), "1 ERR_UPGRADE_TARGET");
  });
});
