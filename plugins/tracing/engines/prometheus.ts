import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { callCheck, expectFields } from "#kernel";
import { expectOneOf, expectText } from "#lib/values";
import type { Metric } from "../contract.js";

/** Upper bounds in seconds: cached responses take well under a millisecond, images a few seconds. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const assertAdd = callCheck(
  "metrics.add",
  {
    metric: expectFields({
      name: expectText,
      help: expectText,
      type: expectOneOf("gauge", "counter"),
      read: ["function"],
    }),
  },
  'site.use("metrics", { optional: true })?.add({ name: "shop_orders_total", help: "Orders", type: "counter", read: () => [{ value: 1 }] })',
);

/** The metrics of one site in the text format of Prometheus. */
export class Prometheus {
  readonly requests: RequestMetrics;
  readonly #registry = new Registry();
  readonly #metrics: Metric[] = [];

  constructor() {
    const registers = [this.#registry];
    const count = new Counter({
      name: "site_http_requests_total",
      help: "Requests by route, method and status",
      labelNames: ["route", "method", "status"],
      registers,
    });
    const duration = new Histogram({
      name: "site_http_request_duration_seconds",
      help: "Time from the request's headers to the end of the response",
      labelNames: ["route", "method"],
      buckets: BUCKETS,
      registers,
    });
    this.requests = {
      observe: ({ route, method, status, seconds }) => {
        count.inc({ route, method, status });
        duration.observe({ route, method }, seconds);
      },
    };
  }

  /** Adds a metric that is read at each scrape. */
  add(metric: Metric): void {
    assertAdd(metric);
    this.#metrics.push(metric);
  }

  /** All metrics as text. */
  async read(): Promise<{ type: string; body: string }> {
    const registry = new Registry();
    for (const metric of this.#metrics) fill(registry, metric);
    const body = `${await this.#registry.metrics()}\n${await registry.metrics()}`;
    return { type: this.#registry.contentType, body };
  }
}

function fill(registry: Registry, { name, help, type, read }: Metric): void {
  const samples = read();
  if (samples.length === 0) return;
  const labelNames = Object.keys(samples[0]?.labels ?? {});
  const options = { name, help, labelNames, registers: [registry] };
  if (type === "counter") {
    const counter = new Counter(options);
    for (const { labels = {}, value } of samples) counter.inc({ ...labels }, value);
  } else {
    const gauge = new Gauge(options);
    for (const { labels = {}, value } of samples) gauge.set({ ...labels }, value);
  }
}

/** The facts of a finished request; every text has few possible values. */
interface EndedRequest {
  method: string;
  route: string;
  status: string;
  seconds: number;
}

/** Counts requests. */
export interface RequestMetrics {
  observe(request: EndedRequest): void;
}
