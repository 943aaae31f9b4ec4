import type { Clock } from "#lib/dates";

/** A frozen clock, moved by the test. */
export interface TestClock extends Clock {
  /** Sets the time: Unix ms, or a text that `Date` parses. */
  set(time: number | string): void;
  /** Advances by `ms`. */
  advance(ms: number): void;
}

/** A clock for `createTestSite`, frozen at `start`. */
export function testClock(start: number | string = "2026-01-01T00:00:00Z"): TestClock {
  const state = { now: toMs(start) };
  return {
    now: () => state.now,
    set: (time) => void (state.now = toMs(time)),
    advance: (ms) => void (state.now += ms),
  };
}

function toMs(time: number | string): number {
  const ms = typeof time === "number" ? time : Date.parse(time);
  if (Number.isFinite(ms)) return ms;
  throw new TypeError(`${JSON.stringify(time)} is not a time: pass Unix ms or an ISO 8601 text`);
}
