/** The public API of tracing and metrics: settings, and how to add a metric. */

/** Section `tracing` of system.yaml; `endpoint` is set when enabled. */
export interface TracingSection {
  enabled: boolean;
  endpoint?: string | undefined;
  service_name: string;
  /** 0 to 1. */
  sample_rate: number;
}

/** A value of a metric with its labels, whose values must not come from visitors. */
export interface Sample {
  labels?: Readonly<Record<string, string>>;
  value: number;
}

/** A metric that is read at each scrape. */
export interface Metric {
  /** Snake case, in base units, counters end in `_total`: `site_queue_length`. */
  name: string;
  help: string;
  type: "gauge" | "counter";
  read(): readonly Sample[];
}

/**
 * Metrics of the site.
 *
 * @example
 * let orders = 0;
 * site.use("metrics", { optional: true })?.add({
 *   name: "shop_orders_total",
 *   help: "Orders since startup",
 *   type: "counter",
 *   read: () => [{ value: orders }],
 * });
 */
export interface MetricsService {
  /** Adds a metric; in `setup`. */
  add(metric: Metric): void;
}

declare module "#kernel" {
  interface Services {
    /** Provided only while `/metrics` is served. */
    metrics: MetricsService;
  }
  interface SystemSettings {
    tracing: TracingSection;
    metrics: { enabled: boolean; token?: string | undefined };
  }
}
