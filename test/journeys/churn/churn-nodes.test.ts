// Two nodes on one content folder that changes constantly: each must come to equal a fresh start.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "#kernel";
import { bootSite } from "../../support/sites/boot-site.js";
import {
  CHURNED_CONTENT,
  CHURNED_PLUGINS,
  CHURNED_SYSTEM,
} from "../../support/churn/churned-files.js";
import { compareExports } from "../../support/churn/compare-exports.js";
import { Random } from "../../support/churn/random.js";
import { churnOnce, type ChurnedSite } from "../../support/churn/site-operations.js";
import { difference, stateOf } from "../../support/churn/site-state.js";
import { clusterNodes, type Nodes, type TestNode } from "../../support/servers/cluster-nodes.js";
import { FailingReads } from "../../support/hostile/failing-reads.js";
import { usePostgres } from "../../support/services.js";
import { until } from "../../support/until.js";

const OPERATIONS = Number(process.env.SITE_CHURN_OPERATIONS ?? 500);
const SEED = Number(process.env.SITE_CHURN_SEED ?? 1);
/** Operations between two comparisons. */
const BETWEEN = 100;
const START = Date.UTC(2026, 2, 1);

describe("two nodes whose files change constantly", function () {
  this.timeout(600_000);
  const reads = new FailingReads();
  const random = new Random(SEED);
  const copies = mkdtempSync(join(tmpdir(), "site-churn-nodes-"));
  let now = START;
  let nodes: Nodes;
  let running: readonly TestNode[] = [];
  let churned: ChurnedSite;
  const options = {
    clock: { now: () => now },
    log: silentLog,
    env: { SITE_ENV: "production" },
    settings: { site: { title: "Test", url: "https://example.org" }, system: CHURNED_SYSTEM },
  };
  before(async function () {
    const { url } = await usePostgres(this);
    nodes = await clusterNodes(url);
    for (const [file, text] of Object.entries(CHURNED_CONTENT)) await nodes.write(file, text);
    reads.install();
    const plugins = [...CHURNED_PLUGINS, "cluster"];
    const [a, b] = [
      await nodes.boot("a", { ...options, plugins }),
      await nodes.boot("b", { ...options, plugins }),
    ];
    running = [a, b];
    churned = {
      random,
      reads,
      root: nodes.base,
      get site() {
        return random.pick(running);
      },
      content: join(nodes.base, "content"),
      away: join(nodes.base, "away"),
      advance: (ms) => void (now += ms),
    };
  });
  after(async () => {
    reads.uninstall();
    await nodes.close();
    rmSync(copies, { recursive: true, force: true });
  });

  it(`equal a fresh start after ${OPERATIONS} operations`, async () => {
    try {
      for (let done = 0; done < OPERATIONS; done += BETWEEN) {
        for (let count = 0; count < BETWEEN; count += 1) await churnOnce(churned);
        reads.stop();
        await compare();
      }
      for (const { root } of running) await compareExports(root, copies, options.clock);
    } catch (error) {
      const seed = `SITE_CHURN_SEED=${SEED} SITE_CHURN_OPERATIONS=${OPERATIONS}`;
      throw new Error(`${seed} repeats this`, { cause: error });
    }
  });

  /** Both nodes must reach the state of a fresh site by themselves. */
  async function compare(): Promise<void> {
    const root = mkdtempSync(join(copies, "fresh-"));
    for (const name of ["content", "flex-objects"]) {
      symlinkSync(join(nodes.base, name), join(root, name));
    }
    const fresh = await bootSite({ ...options, plugins: CHURNED_PLUGINS, root });
    try {
      const expected = await stateOf(fresh);
      for (const node of running) {
        let found: string | null = "";
        const isEqual = async (): Promise<boolean> =>
          (found = difference(await stateOf(node), expected)) === null;
        // Files that could not be read are read again after 30 s at most.
        await until(isEqual).catch(() => assert.fail(found ?? ""));
      }
    } finally {
      await fresh.close();
    }
  }
});
