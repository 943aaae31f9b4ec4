import assert from "node:assert/strict";
import { FieldKinds } from "#kernel";
import { checkFields, fieldsSchema, readFields } from "#lib/fields";

const kinds = new FieldKinds();
const steps = {
  type: "structure",
  label: "Steps",
  fields: {
    title: { type: "text", label: "Title", required: true },
    minutes: { type: "number", label: "Minutes" },
  },
};

function fieldsOf(definitions: Record<string, unknown>) {
  const { fields, problems } = readFields(definitions, kinds);
  assert.deepEqual(problems, []);
  return fields;
}

/** The first error of a value, and the value as it is stored. */
function tried(definition: Record<string, unknown>, value: unknown) {
  const fields = fieldsOf({ a: { label: "A", ...definition } });
  const { errors, values } = checkFields(fields, { a: value });
  return { error: errors[0]?.message ?? null, at: errors[0]?.field, value: values["a"] };
}

describe("the kinds of fields", () => {
  const options = { book: "Book", film: "Film" };
  for (const [type, good, bad, more] of [
    ["email", "a@example.org", "a@", {}],
    ["url", "https://example.org/a", "javascript:alert(1)", {}],
    ["url", "http://example.org", "//example.org", {}],
    ["slug", "a-b-2", "A b", {}],
    ["slug", "über", "-a", {}],
    ["datetime", "2027-06-01T09:00+02:00", "2027-06-01", {}],
    ["datetime", "2027-06-01T09:00", "2027-02-30T09:00", {}],
    ["time", "23:59", "24:00", {}],
    ["range", 3, 11, { validate: { max: 10 } }],
    ["radio", "book", "boat", { options }],
    ["checkboxes", ["book", "film"], ["book", "boat"], { options }],
    ["tags", ["a", "b"], [{ a: 1 }], {}],
    ["code", "const a = 1;", [1], {}],
    ["object", { title: "x" }, "x", { fields: { title: { type: "text" } } }],
    ["structure", [{ title: "x" }], [{ minutes: 3 }], steps],
  ] as const) {
    it(`${type}: accepts ${JSON.stringify(good)}, not ${JSON.stringify(bad)}`, () => {
      assert.deepEqual(tried({ type, ...more }, good), { error: null, at: undefined, value: good });
      assert.match(tried({ type, ...more }, bad).error ?? "", /^(?:A|Steps|Title) /);
    });
  }

  it("accepts any value as json and hidden", () => {
    for (const type of ["json", "hidden"]) {
      for (const value of [{ a: [1] }, 1, "x", [null]]) {
        assert.deepEqual(tried({ type }, value), { error: null, at: undefined, value });
      }
    }
  });

  it("converts what forms send", () => {
    assert.deepEqual(tried({ type: "range" }, "3").value, 3);
    assert.deepEqual(tried({ type: "checkboxes", options }, "book").value, ["book"]);
    assert.deepEqual(tried({ type: "datetime" }, "2027-06-01 09:00").value, "2027-06-01T09:00");
    assert.deepEqual(tried(steps, { title: "x", minutes: "5" }).value, [
      { title: "x", minutes: 5 },
    ]);
  });

  it("names the way to a nested value, by its own label", () => {
    const { error, at } = tried(steps, [{ title: "x" }, { title: "y", minutes: "soon" }]);
    assert.deepEqual([at, error], ["a.1.minutes", "Minutes must be a number."]);
  });

  it("retains keys of nested values that have no field", () => {
    assert.deepEqual(tried(steps, [{ title: "x", other: 1 }]).value, [{ title: "x", other: 1 }]);
  });
});

describe("conditions of fields", () => {
  const fields = fieldsOf({
    kind: { type: "select", options: ["book", "film", "disc"] },
    pages: { type: "number", label: "Pages", required: true, when: { kind: "book" } },
    minutes: { type: "number", label: "Minutes", required: true, when: { kind: ["film", "disc"] } },
  });
  const messages = (data: Record<string, unknown>) =>
    checkFields(fields, data).errors.map(({ message }) => message);

  it("ask for a field only where they are met", () => {
    assert.deepEqual(messages({ kind: "book" }), ["Pages is required."]);
    assert.deepEqual(messages({ kind: "disc" }), ["Minutes is required."]);
    assert.deepEqual(messages({}), []);
  });

  it("leave values alone where they are not met", () => {
    const { values, errors } = checkFields(fields, { kind: "film", minutes: 90, pages: "many" });
    assert.deepEqual([values, errors], [{ kind: "film", minutes: 90, pages: "many" }, []]);
  });

  it("do not make a field required in JSON Schema", () => {
    assert.equal(fieldsSchema(fields)["required"], undefined);
  });
});

describe("moments and times", () => {
  const { fields } = readFields(
    { at: { type: "datetime" }, time: { type: "time" } },
    new FieldKinds(),
  );
  const { properties } = fieldsSchema(fields) as {
    properties: Readonly<Record<string, { pattern: string }>>;
  };
  for (const [name, values] of Object.entries({
    at: [
      "2027-06-01T09:00",
      "2027-06-01T09:00+02:00",
      "2027-06-01T09:00:30Z",
      "2027-06-01",
      "later",
    ],
    time: ["09:30", "23:59:59", "25:00", "9:30", "noon"],
  })) {
    it(`have a JSON Schema that agrees with the check: ${name}`, () => {
      const pattern = new RegExp(properties[name]?.pattern ?? "", "u");
      for (const value of values) {
        const isValid = checkFields(fields, { [name]: value }).errors.length === 0;
        assert.equal(pattern.test(value), isValid, value);
      }
    });
  }
});

describe("blocks", () => {
  const own = new FieldKinds();
  const block = (definitions: Record<string, unknown>) => readFields(definitions, own).fields;
  own.setBlocks(
    new Map([
      ["quote", block({ text: { type: "textarea", label: "Text", required: true } })],
      ["columns", block({ blocks: { type: "blocks" } })],
    ]),
  );
  const { fields } = readFields(
    { body: { type: "blocks", label: "Body" }, quotes: { type: "blocks", blocks: ["quote"] } },
    own,
  );
  const errorsOf = (data: Record<string, unknown>) =>
    checkFields(fields, data).errors.map(({ field, message }) => `${field}: ${message}`);

  it("are checked by their type", () => {
    assert.deepEqual(errorsOf({ body: [{ type: "quote", text: "x" }] }), []);
    assert.deepEqual(errorsOf({ body: [{ type: "quote" }] }), ["body.0.text: Text is required."]);
    assert.deepEqual(errorsOf({ body: [{ type: "__proto__" }] }), [
      "body.0.type: Body must be one of: quote, columns.",
    ]);
    assert.deepEqual(errorsOf({ quotes: [{ type: "columns" }] }), [
      "quotes.0.type: quotes must be one of: quote.",
    ]);
  });

  it("are refused where they are nested too deep, at any depth", () => {
    for (const depth of [12, 50, 5_000]) {
      let nested: unknown = [{ type: "quote", text: "x" }];
      for (let at = 0; at < depth; at += 1) nested = [{ type: "columns", blocks: nested }];
      assert.match(errorsOf({ body: nested })[0] ?? "", /is nested deeper than 10 levels\.$/);
    }
  });

  it("may be ten thousand, and at most a hundred errors are reported", () => {
    const many = Array.from({ length: 10_000 }, () => ({ type: "quote", text: "x" }));
    assert.deepEqual(errorsOf({ body: many }), []);
    assert.equal(errorsOf({ body: many.map(() => ({ type: "quote" })) }).length, 100);
  });

  it("are choices in JSON Schema, also where a block contains blocks", () => {
    const schema = JSON.stringify(fieldsSchema(fields));
    assert.match(schema, /"type":\{"const":"quote"\}/);
    assert.match(schema, /"blocks":\{"type":"array"\}/);
  });
});
