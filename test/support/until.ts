import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";

/** Resolves once the condition is true; rejects after a time limit. */
export async function until(isTrue: () => boolean | Promise<boolean>, seconds = 50): Promise<void> {
  const end = performance.now() + seconds * 1000;
  while (!(await isTrue())) {
    assert.ok(performance.now() < end, `did not happen within ${seconds} s: ${isTrue.toString()}`);
    await delay(10);
  }
}
