/** The metrics of a site, from the statistics of its plugins. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { HookStat, SiteContext } from "#kernel";
import { readPackage } from "#lib/packages";
import type {} from "../jobs/contract.js";
import type { Metric, Sample } from "./contract.js";

/** Index, cache, queues, hooks and process; a plugin that is not selected has no rows. */
export function siteMetrics(site: SiteContext): Metric[] {
  const { version } = readPackage();
  return [
    gauge("site_info", "Version of the server", () => [{ labels: { version }, value: 1 }]),
    gauge("site_ready", "1 while the site is ready", () => [
      { value: site.lifecycle.state() === "ready" ? 1 : 0 },
    ]),
    gauge("site_queue_length", "Waiting and running jobs, by queue", () => queues(site)),
    ...contentMetrics(site),
    ...cacheMetrics(site),
    ...hookMetrics(site),
    ...processMetrics(),
  ];
}

function gauge(name: string, help: string, read: Metric["read"]): Metric {
  return { name, help, type: "gauge", read };
}

function counter(name: string, help: string, read: Metric["read"]): Metric {
  return { name, help, type: "counter", read };
}

function contentMetrics(site: SiteContext): Metric[] {
  const content = site.use("content", { optional: true });
  const search = site.use("search", { optional: true });
  return [
    gauge("site_index_pages", "Pages in the content index", () =>
      one(content?.generation().entries.length),
    ),
    gauge("site_index_problems", "Content files with problems", () =>
      one(content?.generation().problems.length),
    ),
    gauge("site_search_documents", "Documents in the search index", () =>
      one(search?.state().documents),
    ),
  ];
}

function cacheMetrics(site: SiteContext): Metric[] {
  const stats = () => site.use("cache", { optional: true })?.stats();
  return [
    gauge("site_cache_entries", "Cached responses", () => one(stats()?.entries)),
    gauge("site_cache_bytes", "Bytes of the cached responses", () => one(stats()?.bytes)),
    counter("site_cache_hits_total", "Cache hits", () => one(stats()?.hits)),
    counter("site_cache_misses_total", "Cache misses", () => one(stats()?.misses)),
    counter("site_cache_evictions_total", "Evicted cache entries", () => one(stats()?.evictions)),
  ];
}

function queues(site: SiteContext): Sample[] {
  const lengths = {
    image: site.use("media", { optional: true })?.stats().waiting,
    ...jobQueues(site),
    // Addresses: many of them are one job.
    cdn: site.use("cdn", { optional: true })?.status().pending,
  };
  return Object.entries(lengths).flatMap(([queue, value]) =>
    value === undefined ? [] : [{ labels: { queue }, value }],
  );
}

/** Queue name to its number of waiting and running jobs. */
function jobQueues(site: SiteContext): Record<string, number> {
  const rows = Object.entries(site.use("jobs", { optional: true })?.status() ?? {});
  return Object.fromEntries(rows.map(([name, { waiting, running }]) => [name, waiting + running]));
}

function hookMetrics(site: SiteContext): Metric[] {
  const rows = (value: (stat: HookStat) => number) => (): Sample[] =>
    summed(site.hooks.stats()).map((stat) => ({
      labels: { plugin: stat.plugin, hook: stat.hook },
      value: value(stat),
    }));
  return [
    counter(
      "site_hook_calls_total",
      "Calls of a plugin's handlers",
      rows((stat) => stat.calls),
    ),
    counter(
      "site_hook_errors_total",
      "Calls that failed",
      rows((stat) => stat.errors),
    ),
    counter(
      "site_hook_seconds_total",
      "Time in a plugin's handlers",
      rows((stat) => stat.totalMs / 1_000),
    ),
  ];
}

/** One row per plugin and hook: a plugin may have several handlers. */
function summed(stats: readonly HookStat[]): HookStat[] {
  const rows = new Map<string, HookStat>();
  for (const stat of stats) {
    const key = `${stat.plugin} ${stat.hook}`;
    const row = rows.get(key) ?? { ...stat, calls: 0, errors: 0, totalMs: 0 };
    row.calls += stat.calls;
    row.errors += stat.errors;
    row.totalMs += stat.totalMs;
    rows.set(key, row);
  }
  return [...rows.values()];
}

function processMetrics(): Metric[] {
  return [
    gauge("process_resident_memory_bytes", "Memory of the process", () =>
      one(process.memoryUsage.rss()),
    ),
    gauge("nodejs_heap_size_used_bytes", "Heap in use", () => one(process.memoryUsage().heapUsed)),
    counter("process_cpu_seconds_total", "User and system time", () => {
      const { user, system } = process.cpuUsage();
      return one((user + system) / 1e6);
    }),
    gauge("process_start_time_seconds", "Start of the process, Unix time", () =>
      one(performance.timeOrigin / 1_000),
    ),
  ];
}

function one(value: number | undefined): Sample[] {
  return value === undefined ? [] : [{ value }];
}

/** Delay of timers since the last reading, in seconds. */
interface EventLoopLag {
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
    p50: toLagSeconds(histogram.percentile(50)),
    p99: toLagSeconds(histogram.percentile(99)),
    max: toLagSeconds(histogram.max),
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
function toLagSeconds(nanoseconds: number): number {
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

/**
 * Counts unhandled promise rejections. Listens only if another listener exists, as in `serve`: the
 * first listener would disable Node's default, which ends the process.
 */
export function rejectionMetric({ lifecycle: { onListen, onClose } }: SiteContext): Metric {
  const seen = { count: 0 };
  const note = (): void => void (seen.count += 1);
  onListen(() => {
    if (process.listenerCount("unhandledRejection") > 0) process.on("unhandledRejection", note);
  });
  onClose(() => void process.off("unhandledRejection", note));
  return {
    name: "site_unhandled_rejections_total",
    help: "Unhandled promise rejections",
    type: "counter",
    read: () => [{ value: seen.count }],
  };
}
