/** What others may know of health: what they may add to the detailed answer. */

/** A section of the detailed answer, read when it is asked for. */
export type HealthSection = () => unknown;

/** What is wrong with a part of the site now; null: nothing. */
export type HealthCheck = () => string | null;

/** A part that does badly. */
export interface HealthProblem {
  part: string;
  problem: string;
}

/** Health of the site (specification: Health). */
export interface HealthService {
  /** Adds `name` to the detailed answer. */
  addSection(name: string, read: HealthSection): void;
  /**
   * Adds a part that can do badly: while `check` returns a sentence, the site is `degraded` and the
   * sentence stands in `problems`. It holds no path, secret or text of others.
   */
  addCheck(name: string, check: HealthCheck): void;
  /** What does badly now. */
  problems(): readonly HealthProblem[];
  /** The detailed answer. */
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
