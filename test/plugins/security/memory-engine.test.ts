import { createSlidingWindow } from "#lib/concurrency";
import { rateLimitContract } from "../../../plugins/testing.js";

describe("the rate-limit engine memory", () => {
  const clock = { now: 1_000 };
  rateLimitContract({
    open: () => createSlidingWindow(() => clock.now),
    advance: (ms) => void (clock.now += ms),
  });
});
