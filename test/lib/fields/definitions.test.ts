import assert from "node:assert/strict";
import check from "fast-check";
import { FieldKinds, isRecord } from "#kernel";
import { checkFields, definitionTexts, formatFieldProblem, readFields } from "#lib/fields";
import { parseYamlSource } from "#lib/yaml";

const kinds = new FieldKinds();

describe("definitions of fields", () => {
  const problemsOf = (definitions: Record<string, unknown>) =>
    readFields(definitions, kinds).problems.map(formatFieldProblem);

  for (const [definition, problem] of [
    [{ type: "emial" }, /^fields\.a\.type: there is no kind "emial"; did you mean email\?$/],
    [{ type: "__proto__" }, /^fields\.a\.type: there is no kind "__proto__"; one of text, /],
    [{ type: "blocks", blocks: "quote" }, /^fields\.a\.blocks: received "quote", expected a list/],
    [{ type: "object", fields: { b: 1 } }, /^fields\.a\.fields\.b: received 1, expected a map/],
    [{ type: "text", when: "book" }, /^fields\.a\.when: /],
    [{ type: "text", reqired: true }, /^fields\.a\.reqired: unknown key; did you mean required\?$/],
    [{ typ: "text" }, /^fields\.a\.typ: unknown key; did you mean type\?$/],
    [{ type: "number", min: 3 }, /^fields\.a\.min: unknown key; write validate: \{ min: 3 \}$/],
    [
      { type: "number", validate: { mx: 3 } },
      /^fields\.a\.validate\.mx: unknown key; did you mean "max"\?$/,
    ],
    [{ type: "text", label: [1] }, /^fields\.a\.label: expected text$/],
    [{ type: "text", options: 3 }, /^fields\.a\.options: expected keys and values or a list$/],
    [{ type: "number", default: "red" }, /^fields\.a\.default: received "red", expected a number$/],
    [
      { type: "select", options: ["light", "dark"], default: "darkk" },
      /^fields\.a\.default: received "darkk", expected one of "light", "dark"; did you mean "dark"\?$/,
    ],
    [{ type: "text", validate: { pattern: "(" } }, /^fields\.a\.validate\.pattern: "\(" is not/],
  ] as const) {
    it(`are reported: ${JSON.stringify(definition)}`, () => {
      const [found = "", ...more] = problemsOf({ a: definition });
      assert.match(found, problem);
      assert.deepEqual(more, []);
    });
  }

  it("keep a field whose default does not fit, without the default", () => {
    const { fields } = readFields({ a: { type: "number", default: "red" } }, kinds);
    assert.deepEqual(
      fields.map(({ name, default: fallback }) => [name, fallback]),
      [["a", undefined]],
    );
  });

  it("have defaults and conditions of texts as they are written, others as values", () => {
    const yaml = `fields:
  release: { type: text, default: 1.10 }
  size: { type: number, default: 1.10 }
  shown: { type: text, when: { release: [1.10, 2], size: 1.10 } }
  part:
    type: object
    fields: { code: { type: text, default: 0x1F } }
`;
    const source = parseYamlSource("a.yaml", Buffer.from(yaml));
    const data = definitionTexts(source.data, source.texts, kinds);
    assert.ok(isRecord(data["fields"]));
    const { fields, problems } = readFields(data["fields"], kinds);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      fields.map((field) => [field.default, field.when, field.fields[0]?.default]),
      [
        ["1.10", null, undefined],
        [1.1, null, undefined],
        [undefined, { release: ["1.10", "2"], size: [1.1] }, undefined],
        [undefined, null, "0x1F"],
      ],
    );
  });

  it("are refused below ten levels", () => {
    let definition: Record<string, unknown> = { type: "text" };
    for (let at = 0; at < 200; at += 1) definition = { type: "object", fields: { a: definition } };
    assert.match(problemsOf({ a: definition })[0] ?? "", /nested deeper than 10 levels$/);
  });

  it("of a plugin's kind are read and checked by it", () => {
    const own = new FieldKinds();
    own.add("even", {
      control: "number",
      check: (value) =>
        Number(value) % 2 === 0 ? null : { issue: "format", rest: "must be even." },
      jsonSchema: () => ({ type: "integer", multipleOf: 2 }),
    });
    const { fields } = readFields({ a: { type: "even" } }, own);
    assert.equal(checkFields(fields, { a: 3 }).errors[0]?.message, "a must be even.");
    for (const name of ["even", "text", "Two", ""]) {
      const kind = own.get("even") ?? assert.fail();
      assert.throws(() => own.add(name, kind), { code: "ERR_FIELD_KIND" });
    }
  });

  it("of any shape never throw, nor does checking with them", () => {
    const value = check.anything({ withNullPrototype: false });
    check.assert(
      check.property(check.dictionary(check.string(), value), value, (definitions, data) => {
        const { fields } = readFields(definitions, kinds);
        checkFields(fields, { a: data });
      }),
    );
    const names = check.constantFrom(...kinds.names);
    check.assert(
      check.property(names, value, (type, data) => {
        const { fields } = readFields({ a: { type, fields: { b: { type } } } }, kinds);
        const { values } = checkFields(fields, { a: data });
        checkFields(fields, values);
      }),
    );
  });
});
