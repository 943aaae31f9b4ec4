import assert from "node:assert/strict";
import { TupleSignature } from "../../../plugins/users/tuple-signature.js";

const SECRET = "k".repeat(32);
const tuple = { user: "ann", relation: "member", object: "role:admin" };

describe("signatures of tuples", () => {
  const signature = new TupleSignature(SECRET);
  const signed = signature.sign(tuple);

  it("stand for all three parts, and are hex", () => {
    assert.equal(signature.isValid(signed, "ann"), true);
    assert.match(signed.hmac ?? "", /^[0-9a-f]{64}$/);
  });

  for (const [what, changed] of [
    ["another relation", { ...signed, relation: "owner" }],
    ["another object", { ...signed, object: "role:owner" }],
    ["another user", { ...signed, user: "bob" }],
    ["no signature", tuple],
    ["an empty one", { ...tuple, hmac: "" }],
    ["a cut one", { ...signed, hmac: signed.hmac?.slice(1) }],
    ["one of another secret", new TupleSignature("x".repeat(32)).sign(tuple)],
  ] as const) {
    it(`do not stand for ${what}`, () => {
      assert.equal(signature.isValid(changed, changed.user), false);
    });
  }

  it("a tuple moved into another user's record does not count, signed or not", () => {
    assert.equal(signature.isValid(signed, "bob"), false);
    assert.equal(new TupleSignature(undefined).isValid(tuple, "bob"), false);
  });

  it("parts cannot flow into each other", () => {
    const shifted = { user: "ann", relation: 'member","role', object: "admin" };
    assert.notEqual(signature.sign(shifted).hmac, signed.hmac);
    assert.notEqual(
      signature.sign({ ...tuple, relation: "memberrole:", object: "admin" }).hmac,
      signed.hmac,
    );
  });

  it("without a secret nothing is signed and every tuple stands", () => {
    const open = new TupleSignature(undefined);
    assert.deepEqual(open.sign(signed), tuple);
    assert.equal(open.isValid({ ...tuple, hmac: "forged" }, "ann"), true);
  });

  it("a signed tuple is signed anew, not taken over", () => {
    assert.equal(signature.sign({ ...tuple, hmac: "forged" }).hmac, signed.hmac);
  });

  for (const secret of ["", "short", "k".repeat(31)]) {
    it(`a secret of ${secret.length} bytes is refused`, () => {
      assert.throws(() => new TupleSignature(secret), { code: "ERR_AUTHZ_SECRET" });
    });
  }

  it("the bytes are counted, not the characters", () => {
    assert.doesNotThrow(() => new TupleSignature("é".repeat(16)));
  });
});
