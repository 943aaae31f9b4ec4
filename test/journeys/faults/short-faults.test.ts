import assert from "node:assert/strict";
import { startFaultCluster, type FaultCluster } from "../../faults/fault-cluster.js";
import { faults } from "../../faults/faults.js";
import { runFault } from "../../faults/run-fault.js";
import { problemsOf } from "../../faults/verdict.js";
import { usePostgres, useRedis, useS3 } from "../../support/services.js";

/** Long enough for several reads and writes of each kind. */
const FAULT_MS = 2_000;
/** Those that say most in little time; `npm run test:faults` does all of them. */
const CHOSEN = ["kill-a", "redis-killed", "postgres-killed", "disk-full"];

describe("two nodes under load", function () {
  this.timeout(300_000);
  let cluster: FaultCluster;
  before(async function () {
    // Installs the programs, or skips.
    await useRedis(this);
    await usePostgres(this);
    await useS3(this);
    this.timeout(300_000);
    cluster = await startFaultCluster();
  });
  after(() => cluster?.close());

  for (const fault of faults.filter(({ name }) => CHOSEN.includes(name))) {
    it(`serve every page and lose no save: ${fault.title}`, async () => {
      const outcome = await runFault(cluster, fault, { ms: FAULT_MS });
      const { reads, confirmed } = outcome;
      assert.deepEqual(problemsOf(outcome, { isTimed: false }), []);
      assert.ok(reads > 0 && confirmed > 0, "no load");
    });
  }
});
