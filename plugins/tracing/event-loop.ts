import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Metric } from "./contract.js";

/** Delay of timers since the last reading, in seconds. */
export interface EventLoopLag {
  /** Since the last `read`. */
  peek(): { p50: number; p99: number; max: number };
  /** Values since the last `read`; resets them. */
  read(): { p50: number; p99: number; max: number };
  close(): void;
}

const RESOLUTION_MS = 20;

/** Watches the event loop until it is closed. */
export function watchEventLoop(): EventLoopLag {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  const peek = (): ReturnType<EventLoopLag["peek"]> => ({
    p50: lagOf(histogram.percentile(50)),
    p99: lagOf(histogram.percentile(99)),
    max: lagOf(histogram.max),
  });
  return {
    peek,
    read() {
      const lag = peek();
      histogram.reset();
      return lag;
    },
    close: () => void histogram.disable(),
  };
}

/** The histogram contains whole intervals in nanoseconds: anything above the interval is lag. */
function lagOf(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1_000) || 0;
}

/** The lag as a metric. */
export function eventLoopMetric(lag: EventLoopLag): Metric {
  return {
    name: "site_event_loop_lag_seconds",
    help: "Delay of timers since the last scrape",
    type: "gauge",
    read: () =>
      Object.entries(lag.read()).map(([quantile, value]) => ({ labels: { quantile }, value })),
  };
}
