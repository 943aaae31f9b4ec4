import assert from "node:assert/strict";
import { HttpError } from "#kernel";
import {
  bodyToken,
  headerToken,
  parseActions,
  parseBody,
} from "../../../plugins/webhooks/routes.js";

const isBadRequest = (error: unknown): boolean =>
  error instanceof HttpError && error.status === 400;

describe("the input of an incoming webhook", () => {
  for (const [header, token] of [
    [undefined, null],
    ["", null],
    ["Basic abc", null],
    ["Bearerabc", null],
    ["token abc", null],
    ["Bearer", ""],
    ["Bearer ", ""],
    ["Bearer abc", "abc"],
    ["bearer   abc ", "abc"],
    ["BEARER a b", "a b"],
  ] as const) {
    it(`has the token ${JSON.stringify(token)} in the header ${JSON.stringify(header)}`, () => {
      assert.equal(headerToken(header), token);
    });
  }

  for (const value of [undefined, null, 1, ["a"], { a: 1 }, true]) {
    it(`has no token in a body where it is ${JSON.stringify(value)}`, () => {
      assert.equal(bodyToken({ token: value }), "");
    });
  }

  it("uses only own properties for token and actions", () => {
    const inherited: Record<string, unknown> = Object.create({ token: "abc", actions: 1 });
    assert.equal(bodyToken(inherited), "");
    assert.equal(parseActions(inherited), null);
    assert.equal(bodyToken({ token: "abc" }), "abc");
  });

  for (const bytes of [undefined, {}, Buffer.alloc(0)]) {
    it(`has no fields when the body is ${JSON.stringify(bytes)}`, () => {
      assert.deepEqual(parseBody(bytes), {});
    });
  }

  for (const text of ["{", "[]", "1", `"x"`, "null", "\0", "\xff"]) {
    it(`is rejected with the body ${JSON.stringify(text)}`, () => {
      assert.throws(() => parseBody(Buffer.from(text, "latin1")), isBadRequest);
    });
  }

  for (const actions of ["rebuild", {}, 1, null, [1], ["rebuild", null], [["rebuild"]]]) {
    it(`is rejected with the actions ${JSON.stringify(actions)}`, () => {
      assert.throws(() => parseActions({ actions }), isBadRequest);
    });
  }

  it("requests the given actions, or all by default", () => {
    assert.deepEqual(parseActions({ actions: ["rebuild", "x"] }), ["rebuild", "x"]);
    assert.deepEqual(parseActions({ actions: [] }), []);
    assert.equal(parseActions({}), null);
  });
});
