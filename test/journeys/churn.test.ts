import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEnv, createSite } from "#kernel";
import { silentLog } from "#kernel/internal";
import { firstParty } from "../../plugins/main.js";
import { exportSite } from "../../plugins/static/export-site.js";
import { FailureLog } from "../../plugins/static/make/failure-log.js";
import { bootSite, type TestSite } from "../support/boot-site.js";
import { exportedSearches, SEARCH_FILES } from "../support/churn/exported-search.js";
import { FILE_OPERATIONS } from "../support/churn/file-operations.js";
import { Random } from "../support/churn/random.js";
import { SITE_OPERATIONS, type ChurnedSite } from "../support/churn/site-operations.js";
import { copyRoot, difference, stateOf } from "../support/churn/site-state.js";
import { FailingReads } from "../support/failing-reads.js";
import { until } from "../support/until.js";

const OPERATIONS = Number(process.env.SITE_CHURN_OPERATIONS ?? 2_000);
const SEED = Number(process.env.SITE_CHURN_SEED ?? 1);
/** Operations between two comparisons; every fifth one compares exports too. */
const BETWEEN = 100;
const START = Date.UTC(2026, 2, 1);
const PLUGINS = [
  ...["cache", "content", "feeds", "flex", "health", "markdown", "media", "pages"],
  ...["render", "search", "static"],
];

const page = (title: string): string => `---\ntitle: ${title}\n---\n# ${title}\n`;

describe("a site whose files change constantly", function () {
  this.timeout(600_000);
  const reads = new FailingReads();
  const random = new Random(SEED);
  const copies = mkdtempSync(join(tmpdir(), "site-churn-"));
  let now = START;
  let site: TestSite;
  let churned: ChurnedSite;
  const options = {
    plugins: PLUGINS,
    clock: { now: () => now },
    log: silentLog,
    env: { SITE_ENV: "production" },
  };
  before(async () => {
    reads.install();
    site = await bootSite({
      ...options,
      files: {
        "site.yaml": "title: Test\nurl: https://example.org\n",
        "system.yaml":
          "languages: { supported: [en, de], default: en }\nsearch: { include_flex: [product] }\n",
        "flex-objects/product.yaml": "title: Product\nfields:\n  name: { type: text }\n",
        "content/01.home/default.md": page("Home"),
        "content/02.blog/default.md": page("Blog"),
        "content/02.blog/a/default.md": page("A"),
        "secret.md": page("Secret"),
      },
    });
    churned = {
      ...{ random, reads, site },
      content: join(site.root, "content"),
      away: join(site.root, "away"),
      advance: (ms) => void (now += ms),
    };
  });
  after(async () => {
    reads.uninstall();
    await site.close();
    rmSync(copies, { recursive: true, force: true });
  });

  it(`equals a fresh start after ${OPERATIONS} operations`, async () => {
    try {
      for (let done = 0; done < OPERATIONS; done += BETWEEN) {
        for (let count = 0; count < BETWEEN; count += 1) await operate();
        reads.stop();
        await compare();
        if ((done / BETWEEN) % 5 === 4) await compareExports();
      }
    } catch (error) {
      const seed = `SITE_CHURN_SEED=${SEED} SITE_CHURN_OPERATIONS=${OPERATIONS}`;
      throw new Error(`${seed} repeats this`, { cause: error });
    }
  });

  async function operate(): Promise<void> {
    const ofFiles = FILE_OPERATIONS.map(
      ([weight, operation]) => [weight, () => reads.spare(() => operation(churned))] as const,
    );
    const all = [...ofFiles, ...SITE_OPERATIONS];
    let at = random.next() * all.reduce((sum, [weight]) => sum + weight, 0);
    const operation = all.find(([weight]) => (at -= weight) < 0)?.[1] ?? assert.fail();
    try {
      await operation(churned);
    } catch (error) {
      // As for a person: there is nothing to move, or something is in the way.
      if (error instanceof assert.AssertionError) throw error;
    }
  }

  /** The running site must reach the state of a fresh one by itself. */
  async function compare(): Promise<void> {
    const root = join(copies, "fresh");
    copyRoot(site.root, root);
    const fresh = await bootSite({ ...options, root });
    try {
      const expected = await stateOf(fresh);
      let found: string | null = "";
      const isEqual = async (): Promise<boolean> =>
        (found = difference(await stateOf(site), expected)) === null;
      // Files that could not be read are read again after 30 s at most.
      await until(isEqual, 45).catch(() => assert.fail(found ?? ""));
    } finally {
      await fresh.close();
    }
  }

  async function compareExports(): Promise<void> {
    const root = join(copies, "exported");
    copyRoot(site.root, root);
    await exportTo(root, join(copies, "fresh-export"));
    await exportTo(site.root, join(copies, "export"));
    const folders = [join(copies, "export"), join(copies, "fresh-export")] as const;
    const excluded = [".site-export.json", ...SEARCH_FILES].map((name) => `--exclude=${name}`);
    const { stdout } = spawnSync("diff", ["-r", ...excluded, ...folders], { encoding: "utf8" });
    assert.equal(stdout.slice(0, 2_000), "");
    const [found, expected] = await Promise.all(folders.map(exportedSearches));
    assert.deepEqual(found, expected);
    rmSync(join(copies, "fresh-export"), { recursive: true });
  }

  async function exportTo(root: string, out: string): Promise<void> {
    const failures = new FailureLog();
    const exported = await createSite(root, {
      ...{ firstParty, env: createEnv({}), log: failures, purpose: "export", clock: options.clock },
    });
    try {
      await exported.start();
      await exportSite(exported.context("static"), {
        ...{ out, concurrency: 1, includesDrafts: false, isFresh: false, failures },
        onProgress: () => undefined,
      });
    } finally {
      await exported.close();
    }
  }
});
