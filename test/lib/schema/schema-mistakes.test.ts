import assert from "node:assert/strict";
import * as z from "zod";
import { readData } from "#lib/schema";

const list = z.strictObject({
  items: z.union([z.string(), z.record(z.string(), z.unknown())]),
  pages: z.union([z.strictObject({ size: z.int().min(1) }), z.boolean()]).optional(),
  order: z.strictObject({ dir: z.enum(["asc", "desc"]) }).optional(),
});
const change = z.discriminatedUnion("op", [
  z.strictObject({ op: z.literal("write"), path: z.string() }),
  z.strictObject({ op: z.literal("delete"), path: z.string() }),
]);
const target = z.union([
  z.strictObject({ path: z.string(), status: z.int() }),
  z.strictObject({ url: z.string() }),
]);

describe("the mistakes of data", () => {
  const rows: [
    what: string,
    schema: z.ZodType,
    data: unknown,
    key: string,
    message: string,
    fix: string,
  ][] = [
    [
      "a misspelt key instead of a required one",
      list,
      { itmes: "a" },
      "itmes",
      "unknown key",
      'did you mean "items"?',
    ],
    [
      "a key like no other",
      list,
      { items: "a", colour: 1 },
      "colour",
      "unknown key",
      "use one of items, pages, order",
    ],
    ["a missing key", list, {}, "items", "expected text or keys and values", "add the key"],
    [
      "neither alternative",
      list,
      { items: 7 },
      "items",
      "expected text or keys and values",
      "correct the value",
    ],
    [
      "a misspelt key of an alternative",
      list,
      { items: "a", pages: { sizes: 5 } },
      "pages.sizes",
      "unknown key",
      'did you mean "size"?',
    ],
    [
      "a value of an alternative",
      list,
      { items: "a", pages: { size: "5" } },
      "pages.size",
      "expected a number",
      "correct the value",
    ],
    [
      "a misspelt choice",
      list,
      { items: "a", order: { dir: "descc" } },
      "order.dir",
      'expected one of "asc", "desc"',
      'did you mean "desc"?',
    ],
    [
      "the alternative with the fewest mistakes",
      target,
      { path: "/a", status: "x" },
      "status",
      "expected a number",
      "correct the value",
    ],
    [
      "a misspelt selector",
      change,
      { op: "wrte", path: "a" },
      "op",
      'expected one of "write", "delete"',
      'did you mean "write"?',
    ],
    [
      "a selector of the wrong type",
      change,
      { op: 7 },
      "op",
      'expected one of "write", "delete"',
      "correct the value",
    ],
    [
      "a mistake below a list",
      z.array(list),
      [{ items: "a" }, { itmes: "a" }],
      "1.itmes",
      "unknown key",
      'did you mean "items"?',
    ],
    [
      "a name that a map rejects",
      z.record(z.string().regex(/^a/, { error: "a name with a" }), z.int()),
      { b: 1 },
      "b",
      "expected a key that is a name with a",
      "correct the key",
    ],
  ];
  for (const [what, schema, data, key, message, fix] of rows) {
    it(`name ${what}`, () => {
      const { mistakes } = readData(schema, data);
      assert.deepEqual(
        mistakes?.map((one) => [one.path.join("."), one.message, one.fix]),
        [[key, message, fix]],
      );
    });
  }

  it("are none of valid data, which is returned", () => {
    const read = readData(list, { items: "a" });
    assert.deepEqual(read, { data: { items: "a" }, mistakes: null });
  });
});
