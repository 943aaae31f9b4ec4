import assert from "node:assert/strict";
import { createEnv } from "#kernel";
import {
  formatSiteLock,
  lockProblem,
  readSiteLock,
  type InstalledRecord,
  type SiteLock,
} from "#lib/packages";
import { loadSite } from "../../../kernel/boot/load-site.js";
import { firstParty } from "../../../plugins/main.js";
import { sourceFolder } from "../../../plugins/render/theme/theme-source.js";
import { inFolder } from "../../support/probe-folder.js";

const src = "npm:site-x@^1.0.0";
const lock: SiteLock = {
  version: 1,
  minimumDependencyAge: { days: 0, exclude: [] },
  specifiers: { [src]: "site-x@1.2.3" },
  packages: {
    "site-x@1.2.3": { integrity: "sha512-x", dependencies: ["dep@1.0.0"] },
    "dep@1.0.0": { integrity: "sha512-d" },
  },
};
const installed = {
  "node_modules/site-x": {
    version: "1.2.3",
    integrity: "sha512-x",
    dependencies: { dep: "^1.0.0" },
  },
  "node_modules/dep": { version: "1.0.0", integrity: "sha512-d" },
};
const code = "globalThis.wasRun = true; module.exports = { name: 'x', version: '1.2.3' };\n";
const files = (record: InstalledRecord, more: Record<string, string> = {}) => ({
  "site.yaml": `title: T\nplugins:\n  - src: ${src}\n`,
  "node_modules/.package-lock.json": JSON.stringify({ packages: record }),
  "node_modules/site-x/package.json": JSON.stringify({ version: "1.2.3", main: "index.js" }),
  "node_modules/site-x/index.js": code,
  "site.lock": formatSiteLock(lock),
  ...more,
});
const wasRun = (): unknown => Reflect.get(globalThis, "wasRun");

describe("site.lock", () => {
  beforeEach(() => Reflect.deleteProperty(globalThis, "wasRun"));
  const boot = (root: string) =>
    loadSite(root, { firstParty, env: createEnv({ SITE_ENV: "dev" }) });

  it("accepts a package that matches its pin", async () => {
    await inFolder(files(installed), async (root) => {
      const { plugins } = await boot(root);
      assert.ok(plugins.some(({ plugin }) => plugin.name === "x"));
      assert.equal(await sourceFolder(root, src), `${root}/node_modules/site-x`);
    });
  });

  const drifts: [string, string, InstalledRecord][] = [
    [
      "another tarball",
      "integrity",
      {
        ...installed,
        "node_modules/site-x": { ...installed["node_modules/site-x"], integrity: "sha512-other" },
      },
    ],
    [
      "another tarball of what it needs",
      "integrity",
      {
        ...installed,
        "node_modules/dep": { version: "1.0.0", integrity: "sha512-other" },
      },
    ],
    [
      "another version of what it needs",
      "dependencies",
      {
        ...installed,
        "node_modules/dep": { version: "1.0.1", integrity: "sha512-d" },
      },
    ],
    [
      "less than it needs",
      "dependencies",
      { "node_modules/site-x": installed["node_modules/site-x"] },
    ],
    [
      "another version",
      "version",
      {
        ...installed,
        "node_modules/site-x": { ...installed["node_modules/site-x"], version: "1.2.4" },
      },
    ],
    ["nothing that npm knows of", "not-installed", {}],
  ];
  for (const [name, kind, record] of drifts) {
    it(`rejects a plugin and a theme with ${name}, before any of it runs`, async () => {
      await inFolder(files(record), async (root) => {
        await assert.rejects(boot(root), (error: { code: string; fix: string }) => {
          assert.equal(error.code, "ERR_LOCK_DRIFT");
          assert.match(error.fix, /site lockfile:sync/);
          return true;
        });
        await assert.rejects(sourceFolder(root, src), { code: "ERR_LOCK_DRIFT" });
        assert.equal(wasRun(), undefined);
      });
      assert.equal(lockProblem(lock, record, src)?.kind, kind);
    });
  }

  it("rejects an unlisted package, and a truncated lock", async () => {
    const empty = formatSiteLock({ ...lock, specifiers: {}, packages: {} });
    await inFolder(files(installed, { "site.lock": empty }), (root) =>
      assert.rejects(boot(root), { code: "ERR_LOCK_DRIFT", fix: "run site lockfile:sync" }),
    );
    for (const text of ["{", '{"version":2}', "[]", formatSiteLock(lock).slice(0, -20)]) {
      await inFolder(files(installed, { "site.lock": text }), (root) =>
        assert.rejects(boot(root), { code: "ERR_LOCK_BROKEN" }),
      );
    }
    await inFolder(files(installed, { "site.lock": '{"version":2}' }), (root) =>
      assert.rejects(boot(root), {
        message: "site.lock cannot be read: version: received 2, expected 1",
      }),
    );
    assert.equal(
      lockProblem({ ...lock, specifiers: {} }, installed, "constructor")?.kind,
      "missing",
    );
  });

  it("is not required", async () => {
    const { "site.lock": _, ...others } = files({});
    await inFolder(others, async (root) => {
      assert.equal(await readSiteLock(root), null);
      await boot(root);
    });
  });

  it("is written sorted, in any order of its entries", () => {
    const turned = Object.fromEntries(Object.entries(lock.packages).toReversed());
    assert.equal(formatSiteLock({ ...lock, packages: turned }), formatSiteLock(lock));
  });
});
