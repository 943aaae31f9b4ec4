import assert from "node:assert/strict";
import * as z from "zod";
import { describeIssue } from "../../../lib/schema/schema-mistakes.js";

const describeOne = (schema: z.ZodType, value: unknown) => {
  const issue = schema.safeParse(value).error?.issues[0];
  assert.ok(issue);
  return describeIssue(issue, value, schema);
};

describe("the description of an issue", () => {
  const rows: [name: string, schema: z.ZodType, value: unknown, expected: RegExp][] = [
    ["a wrong type", z.string(), 7, /^text$/],
    ["a missing value", z.int(), undefined, /^a (whole )?number$/],
    ["a value below its bound", z.int().min(1), 0, /^at least 1$/],
    ["a value at an exclusive bound", z.number().positive(), 0, /^more than 0$/],
    ["a text too long", z.string().max(3), "long", /^at most 3 characters$/],
    ["a list too short", z.array(z.string()).min(1), [], /^at least 1 entries$/],
    ["a value of a set", z.enum(["file", "hash"]), "x", /^one of "file", "hash"$/],
    ["a pattern", z.string().regex(/^a$/), "b", /\/\^a\$\//],
    [
      "a pattern with words of its own",
      z.string().regex(/^a$/, { error: "the letter a" }),
      "b",
      /^the letter a$/,
    ],
    ["alternatives", z.union([z.literal(false), z.int()]), "x", /^false or a number$/],
    [
      "a key of a map",
      z.record(z.string().regex(/^a/, { error: "a name with a" }), z.int()),
      { b: 1 },
      /^a name with a$/,
    ],
    [
      "a rule",
      z.string().refine(() => false, { error: "something else" }),
      "x",
      /^something else$/,
    ],
  ];
  for (const [name, schema, value, expected] of rows) {
    it(`says what was expected for ${name}`, () => {
      const text = describeOne(schema, value);
      assert.match(text.expected, expected);
      assert.notEqual(text.fix, "");
    });
  }

  it("suggests the nearest value", () => {
    assert.match(describeOne(z.enum(["memory", "filesystem"]), "filesytem").fix, /"filesystem"/);
  });

  it("suggests the default, the removal, or the fix of the rule", () => {
    assert.match(describeOne(z.int().default(20), "x").fix, /default: 20/);
    assert.match(describeOne(z.int().optional(), "x").fix, /remove the key/);
    assert.equal(
      describeOne(
        z.string().refine(() => false, { params: { fix: "do this" } }),
        "x",
      ).fix,
      "do this",
    );
  });
});
