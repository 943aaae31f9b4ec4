import type { SiteContext } from "#kernel";
import { readPackage } from "#kernel/internal";
import type { HealthCheck, HealthProblem, HealthSection } from "./contract.js";

/** The detailed report of a site: fixed fields, then sections of plugins. */
export function createReport(site: SiteContext) {
  const sections = new Map<string, HealthSection>();
  const checks = new Map<string, HealthCheck>();
  const problems = (): HealthProblem[] => problemsOf(checks);
  const startedAt = site.runtime.clock.now();
  const { version } = readPackage();
  return {
    addSection: (name: string, read: HealthSection): void => void sections.set(name, read),
    addCheck: (name: string, check: HealthCheck): void => void checks.set(name, check),
    problems,
    report: (): Record<string, unknown> => ({
      status: statusOf(site, problems()),
      uptime: Math.floor((site.runtime.clock.now() - startedAt) / 1_000),
      version,
      ...Object.fromEntries([...sections].map(([name, read]) => [name, read()])),
      plugins: site.runtime
        .plugins()
        .map(({ name, version: its, state }) => ({ name, version: its, state })),
      problems: problems(),
      hooks: failingHandlers(site),
      memory: memory(),
    }),
  };
}

function problemsOf(checks: ReadonlyMap<string, HealthCheck>): HealthProblem[] {
  return [...checks].flatMap(([part, check]) => {
    const problem = check();
    return problem === null ? [] : [{ part, problem }];
  });
}

function statusOf(site: SiteContext, problems: readonly HealthProblem[]): "ok" | "degraded" {
  const isFailed = site.runtime.plugins().some(({ state }) => state === "failed");
  return isFailed || problems.length > 0 ? "degraded" : "ok";
}

function memory(): { rss: number; heapUsed: number } {
  const { rss, heapUsed } = process.memoryUsage();
  return { rss, heapUsed };
}

/** Handlers that have failed, including disabled ones; those of extension lists under the name of the list. */
function failingHandlers(site: SiteContext) {
  const added = site.extensions.stats().map((stat) => ({ ...stat, hook: stat.list }));
  return [...site.hooks.stats(), ...added]
    .filter(({ errors }) => errors > 0)
    .map(({ plugin, hook, calls, errors, open }) => ({ plugin, hook, calls, errors, off: open }));
}
