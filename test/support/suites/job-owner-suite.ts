import assert from "node:assert/strict";
import type { JobStore } from "../../../plugins/jobs/contract.js";
import { JobQueues } from "./job-queues.js";
import type { TcpProxy } from "../servers/tcp-proxy.js";
import { until } from "../until.js";

/** What one owner of the jobs of several nodes promises. */
export function jobOwnerSuite(
  queues: JobQueues,
  {
    proxy,
    away,
  }: {
    /** In front of the store. */
    proxy(): TcpProxy;
    /** Opens the store through the proxy, for a node that loses it. */
    away(): { store(): JobStore; close(): void | Promise<void> };
  },
): void {
  it("runs on the owner what another node adds, and reads text of any kind back", async () => {
    const seen: string[] = [];
    const owner = queues.start({ run: async ({ payload }) => void seen.push(payload) });
    await owner.jobs.open();
    const other = queues.start({ run: () => assert.fail("ran on another node than the owner") });
    const text = "nul \0, half \ud800, café";
    const id = await other.jobs.add("work", text);
    assert.equal(other.jobs.isOwner, false);
    assert.equal(await other.jobs.outcome(id), null);
    assert.deepEqual(seen, [text]);
  });

  it("hands waiting jobs over at once when the owner closes", async () => {
    const first = queues.start({ run: async () => undefined });
    const id = await first.jobs.add("work", "later", { runAt: queues.clock.now() + 60_000 });
    const seen: string[] = [];
    const second = queues.start({ run: async (job) => void seen.push(job.id) });
    await second.jobs.open();
    await first.close();
    await until(() => second.jobs.isOwner);
    await second.jobs.flush("work");
    assert.deepEqual(seen, [id]);
  });

  it("stops jobs that wait when it loses the store, and runs each once when it is back", async () => {
    const { store, close } = away();
    const lost = new JobQueues(store);
    const seen: string[] = [];
    const first = lost.start({ run: async ({ payload }) => void seen.push(`first ${payload}`) });
    const runAt = queues.clock.now() + 60_000;
    await first.jobs.add("work", "a", { runAt });
    await proxy().cut();
    const second = queues.start({
      run: async ({ payload }) => void seen.push(`second ${payload}`),
    });
    await second.jobs.open();
    await until(() => second.jobs.isOwner);
    assert.equal(first.jobs.isOwner, false);
    await second.jobs.flush("work");
    await proxy().restore();
    await first.jobs.flush("work");
    assert.deepEqual(seen, ["second a"]);
    await first.close();
    await close();
  });
}
