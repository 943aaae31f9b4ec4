import assert from "node:assert/strict";
import { readTokenHeader } from "../../../../plugins/auth/engines/token-verifier.js";

const encode = (text: string): string => Buffer.from(text).toString("base64url");
const token = (header: unknown, payload = '{"sub":"ann"}'): string =>
  `${encode(typeof header === "string" ? header : JSON.stringify(header))}.${encode(payload)}.c2ln`;
const read = (value: string) => readTokenHeader(value, "HS256");

describe("token headers", () => {
  it("contain the key id, or none", () => {
    assert.deepEqual(read(token({ alg: "HS256", kid: "k1", typ: "JWT" })), { kid: "k1" });
    assert.deepEqual(read(token({ alg: "HS256" })), { kid: null });
    assert.deepEqual(readTokenHeader(token({ alg: "RS256" }), "RS256"), { kid: null });
  });

  for (const alg of [
    "none",
    "None",
    "nOnE",
    "RS256",
    "hs256",
    "HS512",
    "",
    null,
    undefined,
    ["HS256"],
    { HS256: 1 },
  ]) {
    it(`reject alg ${JSON.stringify(alg)}`, () => {
      assert.equal(read(token({ alg })), null);
    });
  }

  for (const kid of [1, [], {}, true]) {
    it(`reject kid ${JSON.stringify(kid)}`, () => {
      assert.equal(read(token({ alg: "HS256", kid })), null);
    });
  }

  it("accept an odd kid as text", () => {
    for (const kid of ["../../dev/null", "' OR 1=1", "__proto__", "k".repeat(1_000_000)]) {
      assert.deepEqual(read(token({ alg: "HS256", kid })), { kid });
    }
  });

  it("ignore keys and addresses", () => {
    const evil = { jku: "http://evil.example", x5u: "http://evil.example", jwk: {}, x5c: ["x"] };
    assert.deepEqual(read(token({ alg: "HS256", ...evil })), { kid: null });
  });

  for (const crit of [["x"], [], null, false]) {
    it(`reject crit ${JSON.stringify(crit)}`, () => {
      assert.equal(read(token({ alg: "HS256", crit })), null);
    });
  }

  for (const header of [
    '{"alg":"none","alg":"HS256"}',
    '{"alg":"HS256","alg":"HS256"}',
    '{"alg":"HS256","\\u0061lg":"HS256"}',
    '{"alg":"HS256","x":{"a":1,"a":2}}',
    '{"alg":"HS256","x":[{"a":1,"a" : 2}]}',
  ]) {
    it(`reject duplicate members: ${header}`, () => {
      assert.equal(read(token(header)), null);
    });
  }

  it("reject duplicate claims", () => {
    assert.equal(read(token({ alg: "HS256" }, '{"sub":"ann","sub":"bob"}')), null);
  });

  it("accept text that only looks like a member", () => {
    const payload = JSON.stringify({ sub: "ann", name: '"sub": "bob"', "a:b": ':"x":' });
    assert.deepEqual(read(token({ alg: "HS256" }, payload)), { kid: null });
  });

  const [head = "", body = ""] = token({ alg: "HS256" }).split(".");
  for (const [what, value] of [
    ["nothing", ""],
    ["two parts", `${head}.${body}`],
    ["an empty signature", `${head}.${body}.`],
    ["four parts", `${head}.${body}.c2ln.x`],
    ["padding", `${head}.${body}.c2ln=`],
    ["white space around", ` ${head}.${body}.c2ln`],
    ["a line break at the end", `${head}.${body}.c2ln\n`],
    ["bits that mean nothing", `${head}.${body}.YX`],
    ["plain base64", `${head}.${body}.a+b/`],
    ["no JSON", `${encode("{")}.${body}.c2ln`],
    ["deep claims", `${head}.${encode(`{"a":${"[".repeat(100)}${"]".repeat(100)}}`)}.c2ln`],
    [
      "claims that are no UTF-8",
      `${head}.${Buffer.from(`{"\xff":1}`, "latin1").toString("base64url")}.c2ln`,
    ],
    ["a list", `${encode("[]")}.${body}.c2ln`],
    ["null", `${encode("null")}.${body}.c2ln`],
    ["text as claims", `${head}.${encode('"x"')}.c2ln`],
    ["claims that are no JSON", `${head}.${encode("x")}.c2ln`],
    ["100,000 levels", `${head}.${encode(`{"a":${"[".repeat(1e5)}${"]".repeat(1e5)}}`)}.c2ln`],
  ] as const) {
    it(`reject ${what}`, () => {
      assert.equal(read(value), null);
    });
  }
});
