import assert from "node:assert/strict";
import { MissBudget } from "../../../../plugins/media/variants/variants.js";
import { MemoryRateLimit } from "../../../../plugins/security/engines/memory.js";
import { clientKey } from "../../../../plugins/security/rate-limit.js";

describe("MissBudget", () => {
  function budget(perMinute: number) {
    const time = { now: 1_000_000 };
    const counts = new MemoryRateLimit(() => time.now);
    const limit = counts.take.bind(counts);
    return { time, spender: new MissBudget(perMinute, () => ({ clientKey, limit })) };
  }

  it("limits the new variants per address and minute", async () => {
    const { spender, time } = budget(3);
    for (const _ of [1, 2, 3]) await spender.spend("192.0.2.1");
    time.now += 20_500;
    await assert.rejects(spender.spend("192.0.2.1"), {
      status: 429,
      code: "ERR_MEDIA_BUDGET",
      headers: { "Retry-After": "40" },
    });
    await spender.spend("192.0.2.2");
    time.now += 39_500;
    await spender.spend("192.0.2.1");
  });

  it("counts the addresses of one IPv6 network together", async () => {
    const { spender } = budget(1);
    await spender.spend("2001:db8::1");
    await assert.rejects(spender.spend("2001:db8::2"), { code: "ERR_MEDIA_BUDGET" });
    await spender.spend("2001:db8:0:1::1");
  });

  it("locks no client out when the clock is set back", async () => {
    const { spender, time } = budget(1);
    await spender.spend("192.0.2.1");
    time.now -= 3_600_000;
    await spender.spend("192.0.2.1");
  });

  it("limits nothing without the plugin security", async () => {
    const spender = new MissBudget(1, () => undefined);
    for (const _ of [1, 2, 3]) await spender.spend("192.0.2.1");
  });
});
