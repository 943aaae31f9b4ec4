import assert from "node:assert/strict";
import { accountKey, LoginAttempts } from "../../../../plugins/admin/accounts/login-attempts.js";
import { MemoryRateLimit } from "../../../../plugins/security/engines/memory.js";

describe("LoginAttempts", () => {
  let now = 0;
  let attempts: LoginAttempts;
  beforeEach(() => {
    now = 1_000_000_000;
    attempts = new LoginAttempts(new MemoryRateLimit(() => now));
  });
  const fail = (count: number, account: (n: number) => string, address: (n: number) => string) =>
    Promise.all(
      Array.from({ length: count }, async (_, n) => {
        const wait = await attempts.begin(account(n), address(n));
        if (wait === 0) attempts.failed(account(n), address(n));
        return wait;
      }),
    );

  it("allows ten failures of an account and address, then returns the time to wait", async () => {
    assert.deepEqual(
      await fail(
        10,
        () => "eva",
        () => "ip",
      ),
      Array(10).fill(0),
    );
    assert.equal(await attempts.begin("EVA ", "ip"), 900);
    assert.equal(await attempts.begin("eva", "other"), 0);
    now += 899_000;
    assert.equal(await attempts.begin("eva", "ip"), 1);
    now += 1_001;
    assert.equal(await attempts.begin("eva", "ip"), 0);
  });

  it("blocks an address that tries many accounts, and an account tried from many addresses", async () => {
    assert.equal(
      (
        await fail(
          31,
          (n) => `user${n}`,
          () => "ip",
        )
      ).filter((wait) => wait > 0).length,
      1,
    );
    assert.equal(
      (
        await fail(
          101,
          () => "eva",
          (n) => `ip${n}`,
        )
      ).filter((wait) => wait > 0).length,
      1,
    );
  });

  it("does not count successful logins", async () => {
    for (let count = 0; count < 50; count += 1) {
      assert.equal(await attempts.begin("eva", "ip"), 0);
      await attempts.succeeded("eva", "ip");
    }
    await fail(
      9,
      () => "eva",
      () => "ip",
    );
    assert.equal(await attempts.begin("eva", "ip"), 0);
    await attempts.succeeded("eva", "ip");
    assert.equal(await attempts.begin("eva", "ip"), 0, "a success forgives the failures before it");
  });

  it("lets any number of right logins at the same time pass", async () => {
    const logins = Array.from({ length: 200 }, async () => {
      const wait = await attempts.begin("eva", "ip");
      await Promise.resolve();
      if (wait === 0) await attempts.succeeded("eva", "ip");
      return wait;
    });
    assert.deepEqual(new Set(await Promise.all(logins)), new Set([0]));
  });

  it("lets any number of right codes at the same time pass, and ten wrong ones", async () => {
    const codes = (isRight: boolean) =>
      Promise.all(
        Array.from({ length: 50 }, async () => {
          const wait = await attempts.beginCode("eva");
          await Promise.resolve();
          if (wait === 0 && isRight) await attempts.codeSucceeded("eva");
          if (wait === 0 && !isRight) attempts.codeFailed("eva");
          return wait;
        }),
      );
    assert.equal((await codes(true)).filter((wait) => wait === 0).length, 50);
    assert.equal((await codes(false)).filter((wait) => wait === 0).length, 10);
  });

  it("withdraws an attempt without a verdict, and no other", async () => {
    const eva = () => "eva";
    const ip = () => "ip";
    await fail(9, eva, ip);
    for (let count = 0; count < 200; count += 1) {
      assert.equal(await attempts.begin("eva", "ip"), 0);
      await attempts.withdraw("eva", "ip");
    }
    assert.deepEqual(await fail(2, eva, ip), [0, 900], "the nine failures before still count");
  });

  it("treats spellings of a name as one account", async () => {
    assert.equal(accountKey(" Ｅva"), accountKey("EVA"));
  });
});
