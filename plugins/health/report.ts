import { readPackage, type SiteContext } from "#kernel";
import type { HealthSection } from "./contract.js";

/** The detailed health of a site: fixed fields, then what plugins have added. */
export function createReport(site: SiteContext) {
  const sections = new Map<string, HealthSection>();
  const startedAt = site.clock.now();
  const { version } = readPackage();
  return {
    addSection: (name: string, read: HealthSection): void => void sections.set(name, read),
    report: (): Record<string, unknown> => ({
      status: site.plugins().some(({ state }) => state === "failed") ? "degraded" : "ok",
      uptime: Math.floor((site.clock.now() - startedAt) / 1_000),
      version,
      ...Object.fromEntries([...sections].map(([name, read]) => [name, read()])),
      plugins: site
        .plugins()
        .map(({ name, version: its, state }) => ({ name, version: its, state })),
      hooks: failingHandlers(site),
      memory: memory(),
    }),
  };
}

function memory(): { rss: number; heapUsed: number } {
  const { rss, heapUsed } = process.memoryUsage();
  return { rss, heapUsed };
}

/** Handlers that have failed; one that is switched off says so. */
function failingHandlers(site: SiteContext) {
  return site.hooks
    .stats()
    .filter(({ errors }) => errors > 0)
    .map(({ plugin, hook, calls, errors, open }) => ({ plugin, hook, calls, errors, off: open }));
}
