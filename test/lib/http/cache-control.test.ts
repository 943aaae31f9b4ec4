import assert from "node:assert/strict";
import { cappedLifetime } from "#lib/http";

describe("cappedLifetime", () => {
  const control = "public, max-age=100, stale-while-revalidate=50";
  for (const [seconds, given, expected] of [
    [null, control, control],
    [200, control, control],
    [150, control, control],
    [120, control, "public, max-age=100, stale-while-revalidate=20"],
    [100, control, "public, max-age=100"],
    [60, control, "public, max-age=60"],
    [0, control, "public, max-age=0"],
    [-5, control, "public, max-age=0"],
    [60, "public, max-age=9, s-maxage=900, stale-if-error=900", "public, max-age=9, s-maxage=60"],
    [60, "public, max-age=31536000, immutable", "public, max-age=60"],
    [60, "stale-while-revalidate=50, max-age=100, public", "max-age=60, public"],
    [60, "immutable,max-age=100", "max-age=60"],
    [60, "stale-if-error=5,max-age=9", "stale-if-error=5, max-age=9"],
    [60, "no-cache", "no-cache"],
    [60, "private, no-store", "private, no-store"],
  ] as const) {
    it(`is ${expected} for ${given} ${seconds} s before a change`, () => {
      const until = seconds === null ? null : 1_000_000 + seconds * 1_000 + 999;
      assert.equal(cappedLifetime(given, { until, now: 1_000_000 }), expected);
    });
  }
});
