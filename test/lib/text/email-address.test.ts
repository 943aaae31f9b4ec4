import assert from "node:assert/strict";
import fc from "fast-check";
import { parseEmailAddress } from "#lib/text";

describe("e-mail addresses", () => {
  for (const [given, parsed] of [
    ["ann@example.org", "ann@example.org"],
    ["ADMIN@Example.ORG", "admin@example.org"],
    ["a.b+tag@sub.example.org", "a.b+tag@sub.example.org"],
    ["root@localhost", "root@localhost"],
    ["x@xn--bcher-kva.example", "x@xn--bcher-kva.example"],
    [`${"a".repeat(64)}@example.org`, `${"a".repeat(64)}@example.org`],
    [`a@${"b".repeat(63)}.org`, `a@${"b".repeat(63)}.org`],
  ] as const) {
    it(`accepts ${given.slice(0, 40)} in lower case`, () => {
      assert.equal(parseEmailAddress(given), parsed);
    });
  }

  for (const value of [
    "",
    "ann",
    "@example.org",
    "ann@",
    "ann@@example.org",
    "ann@example.org@evil.example",
    "a@b.c\r\nBcc: x@y",
    "a@b.c\n",
    '"x@evil"@b.c',
    "a@b.c,x@y",
    "<a@b.c>",
    "Ann <a@b.c>",
    "a b@b.c",
    "a@b .c",
    "a@b.c\0",
    "a@b..c",
    "a@.b",
    "a@b.",
    "a@-b.c",
    "a@b-.c",
    ".a@b.c",
    "a.@b.c",
    "a..b@b.c",
    "a(comment)@b.c",
    "a@[127.0.0.1]",
    "a@b_c.d",
    "adm\u0131n@x.org",
    "ann@x\u3002org",
    "\u212aate@x.org",
    `${"a".repeat(65)}@example.org`,
    `a@${"b".repeat(64)}.org`,
    `a@${"b.".repeat(130)}org`,
    null,
    undefined,
    42,
    ["a@b.c"],
    { toString: () => "a@b.c" },
  ]) {
    it(`rejects ${JSON.stringify(value)?.slice(0, 40)}`, () => {
      assert.equal(parseEmailAddress(value), null);
    });
  }

  it("accepts at most 254 characters", () => {
    const of = (length: number): string => {
      const domain = `${"b".repeat(60)}.`.repeat(4);
      return `a@${domain}${"c".repeat(length - domain.length - 2)}`;
    };
    assert.equal(parseEmailAddress(of(254))?.length, 254);
    assert.equal(parseEmailAddress(of(255)), null);
  });

  it("accepts its own result, without characters that could inject a header", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.emailAddress()), (text) => {
        const parsed = parseEmailAddress(text);
        if (parsed === null) return;
        assert.equal(parseEmailAddress(parsed), parsed);
        assert.match(parsed, /^[\x21-\x7e]+$/);
        assert.equal(parsed.split("@").length, 2);
      }),
    );
  });
});
