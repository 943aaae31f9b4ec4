import { FieldKinds } from "#kernel";
import assert from "node:assert/strict";
import { readType as read } from "../../../plugins/flex/flex-types.js";

const product = `
title: Products
icon: box
description: What we sell
version: 2
fields:
  name: { type: text, label: Name, required: true, validate: { min: 2, max: 40, pattern: "[A-Z].*" } }
  kind: { type: select, options: { book: Book, 7: Seven } }
  size: { type: select, options: [S, M] }
  active: { type: toggle, default: true }
`;

const kinds = new FieldKinds();
const readType = (name: string, text: string) => read(name, text, kinds);

describe("readType", () => {
  it("ignores an empty default", () => {
    const { type } = readType("a", 'fields:\n  t: { type: text, default: "" }\n');
    assert.deepEqual(type?.fields[0]?.default, undefined);
  });

  it("reads a type with its fields", () => {
    const { type, problems } = readType("product", product);
    assert.deepEqual(problems, []);
    assert.ok(type);
    assert.deepEqual(
      [type.name, type.title, type.icon, type.version],
      ["product", "Products", "box", 2],
    );
    const [name, kind, size, active] = type.fields;
    assert.ok(name);
    const { kind: text, ...named } = name;
    assert.equal(text, kinds.get("text"));
    assert.deepEqual(named, {
      name: "name",
      type: "text",
      label: "Name",
      required: true,
      default: undefined,
      defaultsToNow: false,
      options: [],
      min: 2,
      max: 40,
      pattern: "[A-Z].*",
      help: "",
      when: null,
      group: "",
      tab: "",
      fields: [],
      more: {},
    });
    assert.deepEqual(
      kind?.options.toSorted((a, b) => a.value.localeCompare(b.value)),
      [
        { value: "7", label: "Seven" },
        { value: "book", label: "Book" },
      ],
    );
    assert.deepEqual(size?.options, [
      { value: "S", label: "S" },
      { value: "M", label: "M" },
    ]);
    assert.deepEqual([active?.label, active?.default], ["active", true]);
  });

  it("knows every kind of field", () => {
    const names = [
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
    ];
    const fields = names.map((kind) => `  a${kind}: { type: ${kind} }`).join("\n");
    const { type, problems } = readType("t", `title: T\nfields:\n${fields}`);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      type?.fields.map((field) => field.type),
      names,
    );
  });

  for (const [what, text, code] of [
    ["no YAML", "title: [", "ERR_FLEX_YAML"],
    ["a title that is no text", "title: [a]\nfields: {}", "ERR_FLEX_SCHEMA"],
    ["no fields", "title: T", "ERR_FLEX_SCHEMA"],
    ["fields that are a list", "title: T\nfields: [a]", "ERR_FLEX_SCHEMA"],
    ["an invalid version", "title: T\nversion: new\nfields: {}", "ERR_FLEX_SCHEMA"],
  ] as const) {
    it(`rejects a file with ${what}`, () => {
      const { type, problems } = readType("t", text);
      assert.equal(type, null);
      assert.equal(problems[0]?.code, code);
    });
  }

  it("titles a type without a title after its file", () => {
    const { type, problems } = readType("products", "fields:\n  name: { type: text }\n");
    assert.deepEqual([type?.title, type?.fields.length, problems], ["products", 1, []]);
  });

  for (const [what, field] of [
    ["of an unknown kind", "a: { type: image }"],
    ["that is no map", "a: text"],
    ["with a name that starts with an underscore", "_id: { type: text }"],
    ["with a bound that is a text", "a: { type: number, validate: { min: low } }"],
  ] as const) {
    it(`omits a field ${what}, reports it and retains the others`, () => {
      const { type, problems } = readType(
        "t",
        `title: T\nfields:\n  ok: { type: text }\n  ${field}\n`,
      );
      assert.deepEqual(
        type?.fields.map(({ name }) => name),
        ["ok"],
      );
      assert.equal(problems.length, 1);
      assert.match(problems[0]?.message ?? "", /^fields\./);
    });
  }

  it("has no field by the name of the prototype", () => {
    const { type } = readType(
      "t",
      "title: T\nfields:\n  ok: { type: text }\n  __proto__: { type: text }\n",
    );
    assert.deepEqual(
      type?.fields.map(({ name }) => name),
      ["ok"],
    );
  });

  it("drops an invalid pattern, retains its field, and reports it", () => {
    const { type, problems } = readType(
      "t",
      'title: T\nfields:\n  a: { type: text, validate: { pattern: "(" } }',
    );
    assert.equal(type?.fields[0]?.pattern, null);
    assert.match(problems[0]?.message ?? "", /pattern/);
  });
});
