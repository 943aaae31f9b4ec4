import { createRequire } from "node:module";

/** Loaded when a schedule is set, which most sites do not have. */
const load = createRequire(import.meta.url) as (
  name: "croner",
) => Pick<typeof import("croner"), "Cron">;

/** True for a cron pattern of five fields. */
export function isCronPattern(pattern: string): boolean {
  if (pattern.trim().split(/\s+/).length !== 5) return false;
  try {
    return cronTimes(pattern, "UTC")(0) !== undefined;
  } catch {
    return false;
  }
}

/**
 * The next time after a given one, both in Unix ms; null when there is no further one.
 * @throws Error for an invalid pattern.
 */
export function cronTimes(pattern: string, timezone: string): (after: number) => number | null {
  const { Cron } = load("croner");
  const cron = new Cron(pattern, { timezone, paused: true });
  return (after) => cron.nextRun(new Date(after))?.getTime() ?? null;
}
