import type { Clock } from "../contracts.js";

/** A clock that stands still until it is told. */
export interface TestClock extends Clock {
  /** Sets the time: Unix ms, or what `Date` reads. */
  set(time: number | string): void;
  /** Goes on by `ms`. */
  advance(ms: number): void;
}

/** A clock for `createTestSite`, standing at `start`. */
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
  throw new TypeError(`${JSON.stringify(time)} is no time: give Unix ms or an ISO 8601 text`);
}
