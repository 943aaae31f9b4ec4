import type { Field } from "#kernel";
import assert from "node:assert/strict";
import check from "fast-check";
import { checkRecord } from "../../../plugins/flex/records/record-file.js";
import { flexField, flexType } from "../../support/content/flex-type.js";

function finding(field: Field, value: unknown): readonly [string, string] | null {
  const { errors } = checkRecord(flexType([field]), { [field.name]: value });
  const [error] = errors;
  return error === undefined ? null : [error.code, error.message];
}
const price = (more: Partial<Field> = {}) => flexField("price", "number", more);
const name = (more: Partial<Field> = {}) => flexField("name", "text", more);
const tags = (more: Partial<Field> = {}) => flexField("tags", "list", more);
const kind = flexField("kind", "select", { options: [{ value: "book", label: "Book" }] });

describe("checkRecord", () => {
  for (const [field, value, code, message] of [
    [name({ required: true }), "", "ERR_FLEX_REQUIRED", "Name is required."],
    [
      name({ required: true, label: "Full name" }),
      null,
      "ERR_FLEX_REQUIRED",
      "Full name is required.",
    ],
    [price(), "abc", "ERR_FLEX_KIND", "Price must be a number."],
    [price(), [1], "ERR_FLEX_KIND", "Price must be a number."],
    [price({ min: 5 }), 4, "ERR_FLEX_MIN", "Price must be at least 5."],
    [price({ max: 5 }), "6", "ERR_FLEX_MAX", "Price must be at most 5."],
    [name({ min: 3 }), "ab", "ERR_FLEX_MIN", "Name must be at least 3 characters."],
    [name({ max: 3 }), "abcd", "ERR_FLEX_MAX", "Name must be at most 3 characters."],
    [name({ pattern: "[a-z]+" }), "a1", "ERR_FLEX_FORMAT", "Name has an invalid format."],
    [name(), { a: 1 }, "ERR_FLEX_KIND", "Name must be a text."],
    [kind, "film", "ERR_FLEX_OPTION", "Kind has an invalid selection."],
    [kind, "__proto__", "ERR_FLEX_OPTION", "Kind has an invalid selection."],
    [tags({ min: 2 }), "one", "ERR_FLEX_MIN", "Tags requires at least 2 item(s)."],
    [tags({ max: 1 }), ["a", "b"], "ERR_FLEX_MAX", "Tags allows at most 1 item(s)."],
    [flexField("on", "toggle"), "perhaps", "ERR_FLEX_KIND", "On must be true or false."],
    [
      flexField("day", "date"),
      "2026-02-30",
      "ERR_FLEX_FORMAT",
      "Day must be a valid date in YYYY-MM-DD format.",
    ],
    [
      flexField("day", "date"),
      "2024-1-1",
      "ERR_FLEX_FORMAT",
      "Day must be a valid date in YYYY-MM-DD format.",
    ],
    [flexField("ink", "color"), "red;x", "ERR_FLEX_FORMAT", "Ink has an invalid format."],
    [flexField("doc", "file"), "../../etc/passwd", "ERR_FLEX_FORMAT", "Doc has an invalid format."],
    [
      flexField("doc", "file"),
      "javascript:alert(1)",
      "ERR_FLEX_FORMAT",
      "Doc has an invalid format.",
    ],
    [flexField("doc", "file"), "//evil.example/x", "ERR_FLEX_FORMAT", "Doc has an invalid format."],
  ] as const) {
    it(`says ${JSON.stringify(message)} of ${JSON.stringify(value)}`, () => {
      assert.deepEqual(finding(field, value), [code, message]);
    });
  }

  for (const [field, value] of [
    [name(), ""],
    [name({ min: 2, pattern: "a.*" }), null],
    [name({ max: 2 }), "🎈🎈"],
    [price({ min: 0 }), 0],
    [kind, "book"],
    [tags(), "one"],
    [flexField("on", "toggle"), "on"],
    [flexField("day", "date"), "2024-02-29"],
    [flexField("ink", "color"), "#aBc"],
    [flexField("ink", "color"), "#aabbccdd"],
    [flexField("doc", "file"), "/content-media/a/b.pdf"],
    [flexField("doc", "file"), "https://example.org/a.pdf"],
    [flexField("doc", "file"), "a b/ü.pdf"],
  ] as const) {
    it(`takes ${JSON.stringify(value)} for a ${field.type}`, () =>
      assert.equal(finding(field, value), null));
  }

  it("matches a pattern against all of a text", () => {
    assert.ok(finding(name({ pattern: "a|b" }), "xa"));
    assert.equal(finding(name({ pattern: "a|b" }), "b"), null);
  });

  it("returns only non-empty fields of the type, coerced", () => {
    const type = flexType([name(), price(), tags({ default: ["x"] })]);
    const data = JSON.parse('{"name":"a","price":"","extra":1,"__proto__":{"tags":["evil"]}}');
    assert.deepEqual(checkRecord(type, data).values, { name: "a", tags: ["x"] });
    assert.deepEqual(checkRecord(flexType([flexField("constructor", "text")]), {}).values, {});
  });

  it("never throws for any value", () => {
    const kinds = [
      "text",
      "textarea",
      "markdown",
      "number",
      "toggle",
      "date",
      "select",
      "list",
      "file",
      "color",
    ] as const;
    check.assert(
      check.property(check.constantFrom(...kinds), check.jsonValue(), (type, value) => {
        const { values, errors } = checkRecord(flexType([flexField("a", type)]), { a: value });
        assert.ok(errors.length <= 1);
        // What was coerced is stable: checking it again says the same.
        const again = checkRecord(flexType([flexField("a", type)]), values);
        assert.deepEqual([again.values, again.errors], [values, errors]);
      }),
    );
  });
});
