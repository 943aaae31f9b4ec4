import { type SiteContext, SiteError } from "#kernel";
import { readPackage } from "#lib/packages";
import type { OutboundService } from "../outbound/contract.js";
import type { MetricsService, TracingSection } from "./contract.js";
import type { OtelTraces } from "./engines/otel.js";
import { eventLoopMetric, watchEventLoop, siteMetrics, rejectionMetric } from "./site-metrics.js";
import { measureStep, metricsStep, traceStep, readerOf } from "./middleware.js";

/** Registers what the plugin does in a site that starts. */
export async function setUpTracing(site: SiteContext): Promise<void> {
  const { tracing, metrics } = site.settings.system;
  const traces = tracing.enabled ? await startTracing(site, tracing) : null;
  if (metrics.enabled || metrics.token !== undefined) await serveMetrics(site, traces);
}

const EXPORT_MS = 10_000;

async function startTracing(site: SiteContext, section: TracingSection): Promise<OtelTraces> {
  const { createOtelTraces } = await import("./engines/otel.js");
  const traces = await createOtelTraces({
    serviceName: section.service_name,
    version: readPackage().version,
    sampleRate: section.sample_rate,
    trustsParents: site.settings.system.server.trust_proxy !== false,
    post: exporter(site.use("outbound"), section.endpoint ?? ""),
    log: site.log,
  });
  site.runtime.trace.use(traces);
  site.http.edge("observe", traceStep(traces));
  site.use("health", { optional: true })?.addSection("tracing", () => ({ ...traces.counts }));
  site.lifecycle.onClose(() => traces.close());
  return traces;
}

/** Posts to the collector through the outbound client. */
function exporter(outbound: OutboundService, url: string): (body: Buffer) => Promise<void> {
  return async (body) => {
    const { status } = await outbound.request(url, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
      timeoutMs: EXPORT_MS,
      overflow: "discard",
      policy: "operator",
    });
    if (status < 200 || status > 299) {
      throw new SiteError("ERR_OUTBOUND_NETWORK", `the collector responded with ${status}`);
    }
  };
}

async function serveMetrics(site: SiteContext, traces: OtelTraces | null): Promise<void> {
  const { Prometheus } = await import("./engines/prometheus.js");
  const prometheus = new Prometheus();
  const lag = watchEventLoop();
  site.lifecycle.onClose(() => lag.close());
  site.use("health", { optional: true })?.addSection("eventLoopLag", () => lag.peek());
  const service: MetricsService = { add: (metric) => prometheus.add(metric) };
  site.provide("metrics", service);
  prometheus.add(eventLoopMetric(lag));
  prometheus.add(rejectionMetric(site));
  // The services exist once every plugin is set up.
  site.lifecycle.onReady(() => siteMetrics(site).forEach((metric) => prometheus.add(metric)));
  if (traces !== null) addSpanMetrics(service, traces);
  site.http.edge("observe", measureStep(prometheus.requests));
  const { token } = site.settings.system.metrics;
  const read = readerOf(site.runtime.workers, () => prometheus.read());
  site.http.edge("answer", metricsStep(site, { token, read }));
}

function addSpanMetrics({ add }: MetricsService, { counts }: OtelTraces): void {
  add({
    name: "site_spans_total",
    help: "Spans by outcome",
    type: "counter",
    read: () => [
      { labels: { outcome: "exported" }, value: counts.exported },
      { labels: { outcome: "dropped" }, value: counts.dropped },
    ],
  });
}
