import { callCheck, expectKind, type Logger, partName, type SiteContext } from "#kernel";
import { readPackage } from "#lib/packages";
import { expectText } from "#lib/values";
import type { HealthCheck, HealthProblem, HealthSection } from "./contract.js";

const assertSection = callCheck(
  "health.addSection",
  { name: expectText, read: expectKind("function") },
  'health.addSection("stock", () => ({ items: 3 }))',
);
const assertCheck = callCheck(
  "health.addCheck",
  { name: expectText, check: expectKind("function") },
  'health.addCheck("stock", () => null)',
);

/** The detailed report of a site: fixed fields, then sections of plugins. */
export function createReport(site: SiteContext) {
  const sections = new Map<string, HealthSection>();
  const checks = new Map<string, HealthCheck>();
  const guard = new Guard(site.log);
  const problems = (): HealthProblem[] => readProblems(checks, guard);
  const startedAt = site.runtime.clock.now();
  const { version } = readPackage();
  return {
    addSection(name: string, read: HealthSection): void {
      assertSection(name, read);
      sections.set(name, read);
    },
    addCheck(name: string, check: HealthCheck): void {
      assertCheck(name, check);
      checks.set(name, check);
    },
    problems,
    report: (): Record<string, unknown> => {
      const ofChecks = problems();
      const read = readSections(sections, guard);
      const all = [...ofChecks, ...read.problems];
      const isFailed = site.runtime.plugins().some(({ state }) => state === "failed");
      return {
        status: isFailed || all.length > 0 ? "degraded" : "ok",
        uptime: Math.floor((site.runtime.clock.now() - startedAt) / 1_000),
        version,
        ...read.values,
        plugins: site.runtime
          .plugins()
          .map(({ name, version: its, state }) => ({ name, version: its, state })),
        problems: all,
        hooks: failingHandlers(site),
        memory: memory(),
      };
    },
  };
}

/** Runs what plugins add; a failure is logged once, until it is another one. */
class Guard {
  readonly #log: Logger;
  readonly #last = new Map<string, string>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Returns the result of `work`, or that of `onFailure` when it throws. */
  run<R, F>(part: string, work: () => R, onFailure: () => F): R | F {
    try {
      return work();
    } catch (error) {
      const message = String(error);
      if (this.#last.get(part) !== message) {
        this.#log.error("health.part_failed", {
          part,
          error: message,
          fix: "correct the check or section that the plugin adds to the service `health`",
        });
      }
      this.#last.set(part, message);
      return onFailure();
    }
  }
}

function readProblems(checks: ReadonlyMap<string, HealthCheck>, guard: Guard): HealthProblem[] {
  return [...checks].flatMap(([part, check]) => {
    const failed = (): string => "its health check has failed: see the log";
    const problem = guard.run(`${part} check`, check, failed);
    return problem === null ? [] : [{ part, problem: String(problem) }];
  });
}

/** The sections, as JSON has them; null for one that cannot be read. */
function readSections(
  sections: ReadonlyMap<string, HealthSection>,
  guard: Guard,
): { values: Record<string, unknown>; problems: HealthProblem[] } {
  const values: Record<string, unknown> = {};
  const problems: HealthProblem[] = [];
  for (const [part, read] of sections) {
    values[part] = guard.run<unknown, null>(
      `${part} section`,
      () => {
        const value = read();
        JSON.stringify(value);
        return value;
      },
      () => {
        problems.push({ part, problem: "its section of this report cannot be read: see the log" });
        return null;
      },
    );
  }
  return { values, problems };
}

function memory(): { rss: number; heapUsed: number } {
  const { rss, heapUsed } = process.memoryUsage();
  return { rss, heapUsed };
}

/** Handlers that have failed, including disabled ones; those of extension lists under the name of the list. */
function failingHandlers(site: SiteContext) {
  const added = site.extensions.stats().map((stat) => ({ ...stat, hook: partName(stat) }));
  return [...site.hooks.stats(), ...added]
    .filter(({ errors }) => errors > 0)
    .map(({ plugin, hook, calls, errors, open }) => ({ plugin, hook, calls, errors, off: open }));
}
