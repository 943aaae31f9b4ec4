import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "#kernel";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { CHURNED_FILES, CHURNED_PLUGINS } from "../../support/churn/churned-files.js";
import { compareExports } from "../../support/churn/compare-exports.js";
import { Random } from "../../support/churn/random.js";
import { churnOnce, type ChurnedSite } from "../../support/churn/site-operations.js";
import { copyRoot, difference, stateOf } from "../../support/churn/site-state.js";
import { FailingReads } from "../../support/hostile/failing-reads.js";
import { until } from "../../support/until.js";

const OPERATIONS = Number(process.env.SITE_CHURN_OPERATIONS ?? 2_000);
const SEED = Number(process.env.SITE_CHURN_SEED ?? 1);
/** Operations between two comparisons; every fifth one compares exports too. */
const BETWEEN = 100;
const START = Date.UTC(2026, 2, 1);
describe("a site whose files change constantly", function () {
  this.timeout(600_000);
  const reads = new FailingReads();
  const random = new Random(SEED);
  const copies = mkdtempSync(join(tmpdir(), "site-churn-"));
  let now = START;
  let site: TestSite;
  let churned: ChurnedSite;
  const options = {
    plugins: CHURNED_PLUGINS,
    clock: { now: () => now },
    log: silentLog,
    env: { SITE_ENV: "production" },
  };
  before(async () => {
    reads.install();
    site = await bootSite({ ...options, files: CHURNED_FILES });
    churned = {
      random,
      reads,
      site,
      root: site.root,
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
        for (let count = 0; count < BETWEEN; count += 1) await churnOnce(churned);
        reads.stop();
        await compare();
        if ((done / BETWEEN) % 5 === 4) await compareExports(site.root, copies, options.clock);
      }
    } catch (error) {
      const seed = `SITE_CHURN_SEED=${SEED} SITE_CHURN_OPERATIONS=${OPERATIONS}`;
      throw new Error(`${seed} repeats this`, { cause: error });
    }
  });

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
      await until(isEqual).catch(() => assert.fail(found ?? ""));
    } finally {
      await fresh.close();
    }
  }
});
