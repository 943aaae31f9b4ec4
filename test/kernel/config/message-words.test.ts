import assert from "node:assert/strict";
import { z } from "zod";
import { parseWith } from "#lib/schema";

const messageOf = (schema: z.ZodType, value: unknown): string => {
  try {
    parseWith(schema, value);
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

describe("messages about invalid input", () => {
  for (const [schema, expected] of [
    [z.iso.datetime(), "expected a time such as 2026-12-31T00:00:00Z"],
    [z.iso.date(), "expected a date such as 2026-12-31"],
    [z.email(), "expected an e-mail address"],
    [z.url(), "expected a URL such as https://example.org/"],
    [z.uuid(), "expected a UUID"],
    [z.string().regex(/^[a-z]+$/), "expected text of the form /^[a-z]+$/"],
    [
      z.string().regex(new RegExp(`^(?:${"ab|".repeat(40)}c)$`)),
      "expected text in the form that its documentation describes",
    ],
    [z.string().optional().nonoptional(), "expected a value"],
  ] as const) {
    it(`say: ${expected}`, () => {
      const value = expected.includes("a value") ? undefined : "1 d";
      assert.equal(messageOf(schema, value), expected);
    });
  }
});
