import assert from "node:assert/strict";
import { FieldKinds } from "#kernel";
import { checkFields, fieldsSchema, initialValues, readFields } from "#lib/fields";

const moment = { now: Date.parse("2026-06-02T02:30:00Z"), timezone: "America/New_York" };
const fieldsOf = (definitions: Record<string, unknown>) =>
  readFields(definitions, new FieldKinds()).fields;

describe("the default `now` of a field", () => {
  const values = {
    date: "2026-06-01",
    datetime: "2026-06-01T22:30:00-04:00",
    time: "22:30",
  };
  for (const [type, value] of Object.entries(values)) {
    it(`of kind ${type} is the moment of creation in the time zone of the site`, () => {
      const fields = fieldsOf({ at: { type, default: "now", required: true } });
      const initial = initialValues(fields, {}, moment);
      assert.deepEqual(initial, { at: value });
      assert.deepEqual(checkFields(fields, initial).errors, []);
    });

    it(`of kind ${type} is no value of what exists`, () => {
      const fields = fieldsOf({ at: { type, default: "now", required: true } });
      const { values: read, errors } = checkFields(fields, {});
      assert.deepEqual(read, {});
      assert.deepEqual(
        errors.map(({ issue }) => issue),
        ["required"],
      );
      assert.ok(!JSON.stringify(fieldsSchema(fields)).includes("now"));
    });
  }

  it("is a word like any other for the other kinds", () => {
    const fields = fieldsOf({ when: { type: "text", default: "now" } });
    assert.deepEqual(initialValues(fields, {}, moment), { when: "now" });
  });

  it("leaves values and fields whose condition is not met alone", () => {
    const fields = fieldsOf({
      kind: { type: "text", default: "book" },
      day: { type: "date", default: "now", when: { kind: "film" } },
      own: { type: "date", default: "now" },
    });
    assert.deepEqual(initialValues(fields, { own: "2020-01-01" }, moment), { kind: "book" });
  });
});
