/** What others may know of health: what they may add to the detailed answer. */

/** A section of the detailed answer, read when it is asked for. */
export type HealthSection = () => unknown;

/** Health of the site (specification: Health). */
export interface HealthService {
  /** Adds `name` to the detailed answer. */
  addSection(name: string, read: HealthSection): void;
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
