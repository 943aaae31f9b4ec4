import assert from "node:assert/strict";
import { oneLine, parseSender } from "../../../plugins/email/address.js";

describe("senders of mail", () => {
  for (const [given, name, address] of [
    ["site@example.org", "", "site@example.org"],
    ["  Site@Example.org ", "", "site@example.org"],
    ["<site@example.org>", "", "site@example.org"],
    ["My Site <site@example.org>", "My Site", "site@example.org"],
    ['"My Site" <site@example.org>', "My Site", "site@example.org"],
    ["Café, GmbH <site@example.org>", "Café, GmbH", "site@example.org"],
    ["A\tB <site@example.org>", "A B", "site@example.org"],
  ] as const) {
    it(`parse ${JSON.stringify(given)}`, () => {
      assert.deepEqual(parseSender(given), { name, address });
    });
  }

  for (const value of [
    "",
    "Site",
    "Site <>",
    "Site <site>",
    "a@b.c, d@e.f",
    "Site <a@b.c> <d@e.f>",
    "Site <a@b.c>, Other <d@e.f>",
    "Site <a@b.c\r\nBcc: d@e.f>",
    'A "B" <a@b.c>',
  ]) {
    it(`reject ${JSON.stringify(value)}`, () => {
      assert.equal(parseSender(value), null);
    });
  }

  it("cannot inject a header through the name", () => {
    const sender = parseSender("Site\r\nBcc: x@y.example <a@b.c>");
    assert.deepEqual(sender, { name: "Site Bcc: x@y.example", address: "a@b.c" });
  });
});

describe("one line of text", () => {
  for (const [given, line] of [
    ["plain", "plain"],
    ["  a  b  ", "a  b"],
    ["a\r\nb", "a b"],
    ["a\u0000b\u007fc\u0085d\u2028e\u2029f", "a b c d e f"],
    ["Grüße 🎉", "Grüße 🎉"],
    ["\n\n", ""],
  ] as const) {
    it(`of ${JSON.stringify(given)} is ${JSON.stringify(line)}`, () => {
      assert.equal(oneLine(given), line);
    });
  }
});
