/** Health as other plugins see it: additions to the detailed report. */

/** A section of the detailed report, read on each request. */
export type HealthSection = () => unknown;

/** The current problem of a part of the site, or null. */
export type HealthCheck = () => string | null;

/** A part with a problem. */
export interface HealthProblem {
  part: string;
  problem: string;
}

/**
 * Health of the site.
 *
 * @example
 * let lastError: string | null = null;
 * const health = site.use("health");
 * health.addCheck("weather", () => (lastError === null ? null : "the forecasts are outdated"));
 * health.addSection("weather", () => ({ lastError }));
 */
export interface HealthService {
  /** Adds the section `name` to the detailed report. */
  addSection(name: string, read: HealthSection): void;
  /**
   * Adds a check: while it returns a message, the site is `degraded` and the message is listed in
   * `problems`. It has no secrets, external text, or paths outside the site.
   */
  addCheck(name: string, check: HealthCheck): void;
  /** The current problems. */
  problems(): readonly HealthProblem[];
  /** The detailed report. */
  report(): Record<string, unknown>;
}

declare module "#kernel" {
  interface Services {
    health: HealthService;
  }
  interface SiteSettings {
    health_token: string | undefined;
  }
}
