import { cronTimes } from "./cron.js";

/** A backup that is due for longer was missed, in ms: making one takes time. */
const LATE_MS = 60 * 60_000;

/** Backups of a schedule that are missing: the time of the first one in Unix ms, and one or two for more. */
export interface MissedBackups {
  readonly first: number | null;
  readonly count: 0 | 1 | 2;
}

/** The backups that should have been made since a time. All times are Unix ms. */
export function missedBackups(
  since: number,
  { schedule, timezone, now }: { schedule: string; timezone: string; now: number },
): MissedBackups {
  const nextAfter = cronTimes(schedule, timezone);
  const isMissed = (due: number | null): due is number => due !== null && due + LATE_MS < now;
  const first = nextAfter(since);
  if (!isMissed(first)) return { first: null, count: 0 };
  return { first, count: isMissed(nextAfter(first)) ? 2 : 1 };
}
