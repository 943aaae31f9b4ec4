import assert from "node:assert/strict";
import { passwordProblem, Passwords } from "../../../plugins/users/password.js";

describe("passwords", () => {
  const passwords = new Passwords();

  it("are hashed with argon2id at OWASP's cost", async () => {
    const hash = await passwords.hash("correct horse battery");
    assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    assert.notEqual(hash, await passwords.hash("correct horse battery"));
    assert.equal(await passwords.verify(hash, "correct horse battery"), true);
    assert.equal(await passwords.verify(hash, "correct horse batterY"), false);
  });

  it("never match without a hash, or with a hash of another kind", async () => {
    for (const hash of [null, undefined, "", "$2b$10$abc", "plain"]) {
      assert.equal(await passwords.verify(hash, "correct horse battery"), false);
    }
  });

  it("take the same time with and without a hash", async () => {
    const verified: string[] = [];
    const argon2 = await import("@node-rs/argon2");
    const counting = new Passwords(async () => ({
      hash: argon2.hash,
      verify: (hash, password) => {
        verified.push(String(hash));
        return argon2.verify(hash, password);
      },
    }));
    const known = await counting.hash("correct horse battery");
    for (const hash of [known, null, undefined, "", "$2b$10$abc"]) {
      await counting.verify(hash, "some other password");
    }
    const costs = verified.map((hash) => /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/.exec(hash)?.[0]);
    assert.equal(costs.length, 5);
    assert.equal(new Set(costs).size, 1);
    assert.ok(costs[0] !== undefined);
  });

  it("are rejected unhashed when too long", async () => {
    assert.equal(await passwords.verify(null, "x".repeat(1_025)), false);
    await assert.rejects(passwords.hash("ab cde".repeat(200)), { code: "ERR_USER_PASSWORD_WEAK" });
  });

  for (const [password, why] of [
    ["short pass1", "too short"],
    ["aaaaaaaaaaaa", "one character"],
    ["abababababab", "two characters"],
    ["someone@example.org", "the e-mail address"],
    ["SOMEONE@example.org", "the e-mail address in capitals"],
  ] as const) {
    it(`are rejected when weak: ${why}`, async () => {
      assert.notEqual(passwordProblem(password, ["someone@example.org"]), null);
      const hashing = passwords.hash(password, ["someone@example.org"]);
      await assert.rejects(hashing, { code: "ERR_USER_PASSWORD_WEAK", status: 400 });
    });
  }

  it("may use any script", () => {
    assert.equal(passwordProblem("правильная лошадь"), null);
    assert.equal(passwordProblem("正しい馬の電池ステープル安全"), null);
  });

  it("respond 503 beyond a queue of a hundred", async () => {
    const busy = new Passwords();
    const results = await Promise.allSettled(
      Array.from({ length: 110 }, () => busy.verify("$argon2id$broken", "x")),
    );
    const refused = results.filter(({ status }) => status === "rejected");
    assert.ok(refused.length >= 1 && refused.length < 20, `${refused.length} refused`);
  });
});
