import assert from "node:assert/strict";
import { toSentence } from "#lib/text";

describe("toSentence", () => {
  for (const [message, expected] of [
    ["the code is wrong", "The code is wrong."],
    ["the login took too long: start again", "The login took too long: start again."],
    ["site.yaml: redirects has a wrong path", "site.yaml: redirects has a wrong path."],
    ['"market" is not a page', '"market" is not a page.'],
    ["Saved already.", "Saved already."],
    ["did it work?", "Did it work?"],
    ["", ""],
  ] as const) {
    it(`writes ${JSON.stringify(message)} as ${JSON.stringify(expected)}`, () => {
      assert.equal(toSentence(message), expected);
    });
  }
});
