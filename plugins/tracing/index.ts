/**
 * Sends traces to a collector and serves metrics; costs nothing while neither is configured.
 * Provides: metrics.
 * Uses: outbound, health, cache, cdn, content, jobs, media, search.
 */
import { definePlugin, OptionalPackages } from "#kernel";
import { settings } from "./settings.js";

const TRACE_PACKAGES: readonly string[] = [
  "@opentelemetry/api",
  "@opentelemetry/sdk-trace-node",
  "@opentelemetry/resources",
  "@opentelemetry/otlp-transformer",
];

const tracePackages = new OptionalPackages({
  plugin: "tracing",
  packages: TRACE_PACKAGES,
  neededBy: ({ settings: { system } }) => (system.tracing.enabled ? "tracing.enabled: true" : null),
});

const metricPackages = new OptionalPackages({
  plugin: "tracing",
  packages: ["prom-client"],
  neededBy: ({ settings: { system } }) => {
    if (system.metrics.enabled) return "metrics.enabled: true";
    return system.metrics.token === undefined ? null : "metrics.token";
  },
});

export default definePlugin({
  name: "tracing",
  version: "1.0.0",
  description: "Traces and metrics",
  onlyServing: true,
  diagnostics: [tracePackages.diagnostic, metricPackages.diagnostic],
  requires: ["outbound"],
  after: ["health"],
  settings,
  async setup(site) {
    await tracePackages.assertInstalled(site);
    await metricPackages.assertInstalled(site);
    const { setUpTracing } = await import("./set-up.js");
    await setUpTracing(site);
  },
});
