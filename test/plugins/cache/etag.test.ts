import assert from "node:assert/strict";
import fc from "fast-check";
import {
  createBufferEtags,
  encodedEtag,
  isFresh,
  strongEtag,
} from "../../../plugins/cache/etag.js";

describe("createBufferEtags", () => {
  it("returns the same as strongEtag, each time, and differs for other bytes", () => {
    const validatorOf = createBufferEtags();
    const [bytes, others] = [Buffer.from("größe"), Buffer.from("other")];
    for (const body of [bytes, bytes]) assert.equal(validatorOf(body), strongEtag("größe"));
    assert.equal(validatorOf(others), strongEtag("other"));
  });
});

describe("strongEtag", () => {
  it("is quoted, equal for equal bytes or text, and differs for others", () => {
    assert.match(strongEtag(""), /^"[\w-]{27}"$/);
    assert.equal(strongEtag("größe"), strongEtag(Buffer.from("größe")));
    assert.notEqual(strongEtag("a"), strongEtag("b"));
  });
});

describe("isFresh", () => {
  const etag = '"abc"';
  for (const header of [
    '"abc"',
    'W/"abc"',
    '"x", "abc"',
    '"x",W/"abc"',
    "*",
    " * ",
    '"abc-gzip"',
    'W/"abc-br"',
  ]) {
    it(`matches ${header}`, () => assert.equal(isFresh(header, etag), true));
  }
  for (const header of [
    undefined,
    "",
    "abc",
    '"ab"',
    '"abcd"',
    "w/abc",
    '"abc-zstd"',
    `"abc"${" ".repeat(5_000)}`,
  ]) {
    it(`does not match ${String(header).slice(0, 20)}`, () =>
      assert.equal(isFresh(header, etag), false));
  }

  it("accepts any header", () => {
    fc.assert(fc.property(fc.string(), (header) => typeof isFresh(header, etag) === "boolean"));
  });
});

describe("encodedEtag", () => {
  it("matches the plain one, and is not equal to it", () => {
    for (const encoding of ["gzip", "br"] as const) {
      assert.notEqual(encodedEtag('"abc"', encoding), '"abc"');
      assert.ok(isFresh(encodedEtag('"abc"', encoding), '"abc"'));
    }
  });
});
