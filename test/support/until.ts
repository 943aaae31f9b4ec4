import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";

const LEAST_PAUSE_MS = 10;
/** The pause after a check, as a multiple of the time of the check: waiting leaves the CPU to the work. */
const PAUSE = 4;
const MAX_PAUSE_MS = 250;

/** Resolves once the condition is true; rejects after a time limit, which is wide: a busy machine is slow, not wrong. */
export async function until(
  isTrue: () => boolean | Promise<boolean>,
  seconds = 200,
): Promise<void> {
  const end = performance.now() + seconds * 1000;
  for (;;) {
    const began = performance.now();
    if (await isTrue()) return;
    const now = performance.now();
    assert.ok(now < end, `did not happen within ${seconds} s: ${isTrue.toString()}`);
    await delay(Math.min(MAX_PAUSE_MS, Math.max(LEAST_PAUSE_MS, PAUSE * (now - began))));
  }
}
