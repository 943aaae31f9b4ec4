import assert from "node:assert/strict";
import { MissBudget } from "../../../plugins/media/miss-budget.js";

describe("MissBudget", () => {
  function budget(perMinute: number) {
    const time = { now: 1_000_000 };
    return { time, spender: new MissBudget(perMinute, { now: () => time.now }) };
  }

  it("limits the new variants per address and minute", () => {
    const { spender, time } = budget(3);
    for (const _ of [1, 2, 3]) spender.spend("192.0.2.1");
    time.now += 20_500;
    assert.throws(() => spender.spend("192.0.2.1"), {
      status: 429,
      code: "ERR_MEDIA_BUDGET",
      headers: { "Retry-After": "40" },
    });
    spender.spend("192.0.2.2");
    time.now += 39_500;
    spender.spend("192.0.2.1");
  });

  it("locks no client out when the clock is set back", () => {
    const { spender, time } = budget(1);
    spender.spend("192.0.2.1");
    time.now -= 3_600_000;
    spender.spend("192.0.2.1");
  });
});
