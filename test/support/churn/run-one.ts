import assert from "node:assert/strict";
import type { Random } from "./random.js";

/** Runs one of the operations, by their weights. */
export async function runOne(
  random: Random,
  operations: readonly (readonly [weight: number, run: () => unknown])[],
): Promise<void> {
  let at = random.next() * operations.reduce((sum, [weight]) => sum + weight, 0);
  const [, run] = operations.find(([weight]) => (at -= weight) < 0) ?? assert.fail();
  try {
    await run();
  } catch (error) {
    // As for a person: there is nothing to move, or something is in the way.
    if (error instanceof assert.AssertionError) throw error;
  }
}
