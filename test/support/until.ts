import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";

/** Resolves once the condition is true; fails when it does not come about. */
export async function until(isTrue: () => boolean | Promise<boolean>, seconds = 20): Promise<void> {
  const end = performance.now() + seconds * 1000;
  while (!(await isTrue())) {
    assert.ok(performance.now() < end, `did not happen within ${seconds} s: ${isTrue.toString()}`);
    await delay(10);
  }
}
