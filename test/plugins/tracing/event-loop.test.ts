import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { watchEventLoop } from "../../../plugins/tracing/site-metrics.js";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

const BLOCKED_MS = 300;

/** Blocks the loop like a synchronous call, between two intervals of the monitor. */
async function block(): Promise<void> {
  await sleep(50);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BLOCKED_MS);
  await sleep(50);
}

// The monitor samples every 20 ms: a block may start that much earlier.
const seen = (seconds: number): boolean => seconds >= (BLOCKED_MS - 40) / 1_000;

describe("the lag of the event loop", () => {
  it("shows a call that has blocked it, until it is read", async () => {
    const lag = watchEventLoop();
    try {
      await block();
      assert.ok(seen(lag.peek().max), `${lag.peek().max} s`);
      const { p50, p99, max } = lag.read();
      assert.ok(seen(max) && p50 <= p99 && p99 <= max, JSON.stringify({ p50, p99, max }));
      assert.ok(lag.peek().max < max, "reading resets it");
    } finally {
      lag.close();
    }
  });

  describe("of a site", () => {
    let site: TestSite;
    before(async () => {
      site = await bootSite({
        plugins: ["content", "health", "tracing"],
        settings: {
          site: { health_token: "a-long-health-token" },
          system: { metrics: { enabled: true } },
        },
      });
    });
    after(() => site.close());

    it("is in the detailed health and in /metrics", async () => {
      await block();
      const detailed = await site.fetch("/health?detailed=true&token=a-long-health-token");
      const { eventLoopLag } = (await detailed.json()) as { eventLoopLag: { max: number } };
      assert.ok(seen(eventLoopLag.max), JSON.stringify(eventLoopLag));
      const metrics = await (await site.fetch("/metrics")).text();
      const max = /^site_event_loop_lag_seconds\{quantile="max"\} (\S+)$/m.exec(metrics)?.[1];
      assert.ok(seen(Number(max)), metrics.slice(0, 400));
    });
  });
});
