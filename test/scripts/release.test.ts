import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { packageRoot } from "#lib/packages";
import {
  contractShape,
  type VersionContract,
} from "../../plugins/upgrade/plan/version-contract.js";
import { withDocsSite } from "../../scripts/docs/docs-site.js";
import { versionContract } from "../../scripts/docs/version-contract.js";
import { contractChanges } from "../../scripts/release/contract-changes.js";
import {
  newestEntry,
  planRelease,
  type ReleaseInput,
  undeclared,
} from "../../scripts/release/plan.js";
import { textOf } from "../support/repository.js";

const contract: VersionContract = {
  format: 1,
  version: "1.2.0",
  node: ">=20",
  pluginApi: "1.0.0",
  plugins: ["search"],
  hooks: { onSave: { owner: "content", kind: "notify", payload: "{ path: string }" } },
  services: { search: { owner: "search", type: "Search", members: ["query", "suggest"] } },
  slots: {},
  routes: [{ method: "get", path: "/api/search", owner: "search", parameters: ["q", "limit"] }],
  settings: {
    site: [{ key: "feed.items", type: "number", default: "20", owner: "feeds" }],
    system: [],
    admin: [],
  },
  commands: { "search:rebuild": { owner: "search", options: ["--json"] } },
  templates: ["page"],
  exports: { sitewright: ["definePlugin", "Plugin"] },
  migrations: [],
};
const edited = (edit: (copy: VersionContract) => void): VersionContract => {
  const copy = structuredClone(contract);
  edit(copy);
  return copy;
};
const changelog =
  "# Changes\n\n## Next (unreleased)\n\n- Faster.\n\n## 1.2.0 (2026-01-01)\n\n- First.\n";
const plan = (input: Partial<ReleaseInput>) =>
  planRelease({
    version: "1.2.0",
    commits: ["fix: a"],
    released: contract,
    contract,
    changelog,
    wanted: null,
    day: "2026-11-30",
    ...input,
  });

describe("the changes between two contracts", () => {
  const texts = (edit: (copy: VersionContract) => void): string[] =>
    contractChanges(contract, edited(edit)).map(({ level, text }) => `${level}: ${text}`);

  it("are empty for equal contracts, whatever their version", () => {
    assert.deepEqual(
      texts((to) => (to.version = "1.3.0")),
      [],
    );
  });

  it("are breaking for everything that was removed or changed, of every kind", () => {
    const breaks = texts((to) => {
      to.node = ">=22";
      to.plugins = [];
      delete to.hooks["onSave"];
      Object.assign(to.services, {
        search: { ...contract.services["search"], members: ["query"] },
      });
      to.routes = to.routes.map((route) => ({ ...route, parameters: ["q"] }));
      to.settings.site = to.settings.site.map((row) => ({ ...row, default: "10" }));
      Object.assign(to.commands, { "search:rebuild": { owner: "search", options: [] } });
      to.templates = [];
      to.exports = { sitewright: ["definePlugin"] };
    });
    assert.deepEqual(breaks, [
      "break: Node.js range becomes >=22, before: >=20",
      "break: plugin search no longer exists",
      "break: hook onSave no longer exists",
      "break: service search.suggest no longer exists",
      "break: route GET /api/search?limit no longer exists",
      "break: key site.feed.items becomes number (default: 10), before: number (default: 20)",
      "break: command search:rebuild --json no longer exists",
      "break: template page no longer exists",
      "break: export sitewright Plugin no longer exists",
    ]);
  });

  it("are additions for everything new", () => {
    assert.deepEqual(
      texts((to) => to.templates.push("post")),
      ["addition: template post is new"],
    );
  });
});

describe("the contract of the last release", () => {
  it("holds, or the changelog names each breaking change", async () => {
    const file = join(packageRoot(), "scripts/release/contract.json");
    const released = contractShape.parse(JSON.parse(await readFile(file, "utf8")));
    const current = await withDocsSite((open) => versionContract(packageRoot(), open));
    const section = newestEntry(textOf("CHANGELOG.md"))?.text ?? "";
    const missing = undeclared(contractChanges(released, current), section);
    assert.deepEqual(missing, [], "name them in the newest section of CHANGELOG.md, in backticks");
  });
});

describe("the plan of a release", () => {
  const removed = edited((to) => (to.exports = { sitewright: ["definePlugin"] }));
  const named = changelog.replace("- Faster.", "- **Breaking**: `sitewright Plugin` is gone.");

  it("takes its version from the largest change of commits and contract", () => {
    const added = edited((to) => to.templates.push("post"));
    const versionOf = (input: Partial<ReleaseInput>) => plan(input).version;
    assert.equal(versionOf({}), "1.2.1");
    assert.equal(versionOf({ commits: ["fix: a", "feat(x): b"] }), "1.3.0");
    assert.equal(versionOf({ contract: added }), "1.3.0");
    assert.equal(versionOf({ commits: ["refactor(api)!: c"] }), "2.0.0");
    assert.equal(versionOf({ commits: ["fix: a\n\nBREAKING CHANGE: c"] }), "2.0.0");
    assert.equal(versionOf({ contract: removed }), "2.0.0");
    assert.equal(versionOf({ version: "0.5.1", contract: removed }), "0.6.0");
    assert.equal(versionOf({ version: "0.5.0-rc.1" }), "0.5.0-rc.2");
    assert.equal(versionOf({ version: "0.5.0-rc.1", wanted: "0.5.0" }), "0.5.0");
    assert.equal(versionOf({ version: "0.5.0", commits: null, released: null }), "0.5.0");
  });

  it("fails for a breaking change that the changelog does not name", () => {
    assert.deepEqual(plan({ contract: removed }).problems, [
      "export sitewright Plugin no longer exists: name it in the newest section of CHANGELOG.md, and say what users have to change",
    ]);
    assert.deepEqual(plan({ contract: removed, changelog: named }).problems, []);
  });

  it("fails for a version that is too small, older or invalid", () => {
    const problemOf = (wanted: string) =>
      plan({ contract: removed, changelog: named, wanted }).problems.join();
    assert.match(problemOf("1.3.0"), /too small for a release with a break: pass 2\.0\.0/);
    assert.match(problemOf("1.2.0"), /not newer than 1\.2\.0/);
    assert.match(problemOf("two"), /two is not a version/);
    assert.equal(problemOf("2.0.0"), "");
  });

  it("dates the section of the changelog, which must say something", () => {
    assert.match(plan({}).changelog, /^## 1\.2\.1 \(2026-11-30\)\n\n- Faster\./m);
    assert.match(
      plan({ changelog: changelog.replace("- Faster.\n", "") }).problems.join(),
      /empty/,
    );
    const released = changelog.replace("Next (unreleased)", "1.2.0 (2026-01-01)");
    assert.match(plan({ changelog: released }).problems.join(), /is released: begin one/);
  });
});
