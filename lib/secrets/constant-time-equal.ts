import { createHash, timingSafeEqual } from "node:crypto";

/** True when both strings are equal; the time it takes does not depend on their content. */
export function constantTimeEqual(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

function digest(value: string): Buffer {
  return createHash("sha256").update(value).digest();
}
