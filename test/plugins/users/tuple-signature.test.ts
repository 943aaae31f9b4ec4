import assert from "node:assert/strict";
import { TupleSignature } from "../../../plugins/users/authz-front.js";

const SECRET = "k".repeat(32);
const tuple = { user: "ann", relation: "member", object: "role:admin" };

describe("tuple signatures", () => {
  const signature = new TupleSignature(SECRET);
  const signed = signature.sign(tuple);

  it("cover all three parts, in hex", () => {
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
    it(`are invalid for ${what}`, () => {
      assert.equal(signature.isValid(changed, changed.user), false);
    });
  }

  it("are invalid in another user's record", () => {
    assert.equal(signature.isValid(signed, "bob"), false);
    assert.equal(new TupleSignature(undefined).isValid(tuple, "bob"), false);
  });

  it("keep the parts unambiguous", () => {
    const shifted = { user: "ann", relation: 'member","role', object: "admin" };
    assert.notEqual(signature.sign(shifted).hmac, signed.hmac);
    assert.notEqual(
      signature.sign({ ...tuple, relation: "memberrole:", object: "admin" }).hmac,
      signed.hmac,
    );
  });

  it("are not required without a secret", () => {
    const open = new TupleSignature(undefined);
    assert.deepEqual(open.sign(signed), tuple);
    assert.equal(open.isValid({ ...tuple, hmac: "forged" }, "ann"), true);
  });

  it("are recomputed for a signed tuple", () => {
    assert.equal(signature.sign({ ...tuple, hmac: "forged" }).hmac, signed.hmac);
  });

  for (const secret of ["", "short", "k".repeat(31)]) {
    it(`reject a secret of ${secret.length} bytes`, () => {
      assert.throws(() => new TupleSignature(secret), { code: "ERR_AUTHZ_SECRET" });
    });
  }

  it("count bytes, not characters", () => {
    assert.doesNotThrow(() => new TupleSignature("é".repeat(16)));
  });
});
