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

/** A backup that is due for longer was missed, in ms: making one takes time. */
const LATE_MS = 60 * 60_000;

/** Backups of a schedule that are missing: the time of the first one in Unix ms, and one or two for more. */
interface MissedBackups {
  readonly first: number | null;
  readonly count: 0 | 1 | 2;
}

/** True for a backup that was due long before `now`. Both times are Unix ms. */
export function isMissed(due: number | null, now: number): due is number {
  return due !== null && due + LATE_MS < now;
}

/** The backups that should have been made since a time. All times are Unix ms. */
export function missedBackups(
  since: number,
  schedule: string,
  timezone: string,
  now: number,
): MissedBackups {
  const nextAfter = cronTimes(schedule, timezone);
  const first = nextAfter(since);
  if (!isMissed(first, now)) return { first: null, count: 0 };
  return { first, count: isMissed(nextAfter(first), now) ? 2 : 1 };
}
