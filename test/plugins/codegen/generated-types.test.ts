import assert from "node:assert/strict";
import { checkName } from "../../../plugins/codegen/command.js";
import {
  toKey,
  toTypeName,
  toUnion,
  schemaType,
} from "../../../plugins/codegen/json-schema-type.js";
import { namedTypes, recordInterface } from "../../../plugins/codegen/site-types.js";
import { flexField, flexType } from "../../support/content/flex-type.js";

describe("names in generated code", () => {
  it("of plugins and themes are valid folders, keys and identifiers", () => {
    for (const name of ["a", "my-plugin", "b2", "a-1-b"]) {
      assert.equal(checkName(name, "plugin"), name);
    }
    const wrong = [
      "",
      "A",
      "1a",
      "a_b",
      "a--b",
      "-a",
      "a-",
      "../a",
      "a/b",
      "a\n",
      "ä",
      "a".repeat(61),
    ];
    for (const name of [...wrong, undefined]) {
      assert.throws(() => checkName(name, "theme"), {
        code: "ERR_CODEGEN_NAME",
        fix: /site codegen theme my-theme/,
      });
    }
  });

  for (const [name, type] of [
    ["my-search", "MySearch"],
    ["Sail-boat", "SailBoat"],
    ["größe_in m", "GrößeInM"],
    ["2nd", "_2nd"],
    ["*/ x", "X"],
    ["", "_"],
  ] as const) {
    it(`turns ${JSON.stringify(name)} into the type ${type}`, () => {
      assert.equal(toTypeName(name), type);
    });
  }

  it("quotes keys that are not identifiers, and texts", () => {
    assert.deepEqual(["a", "$b_1", "a-b", "1", 'a"b'].map(toKey), [
      "a",
      "$b_1",
      '"a-b"',
      '"1"',
      '"a\\"b"',
    ]);
    assert.equal(toUnion(["a", 'b"c']), '"a" | "b\\"c"');
    assert.equal(toUnion([]), "never");
  });
});

describe("the interface of a flex type's records", () => {
  const options = [{ value: 'sl"oop', label: "Sloop" }];
  const type = flexType([
    flexField("name", "text", { label: "Name */ of\nit", required: true }),
    flexField("length", "number"),
    flexField("afloat", "toggle", { default: false }),
    flexField("ports-of call", "list"),
    flexField("rig", "select", { options }),
    flexField("crew", "list", { options }),
    flexField("notes", "markdown"),
  ]);
  const text = recordInterface({ type, interfaceName: "BoatRecord" });

  it("is named after the type, and has the fields that the API adds", () => {
    assert.match(text, /export interface BoatRecord \{/);
    for (const line of [
      "_id: string",
      "_type: string",
      "_createdAt: number",
      "_updatedAt: number",
    ]) {
      assert.ok(text.includes(`  readonly ${line};\n`), line);
    }
  });

  it("has the type of each field, and whether it is optional", () => {
    for (const line of [
      "name: string",
      "length?: number",
      "afloat: boolean",
      '"ports-of call"?: readonly string[]',
      'rig?: "sl\\"oop"',
      "crew?: readonly string[]",
      "notes?: string",
    ]) {
      assert.ok(text.includes(`  readonly ${line};\n`), `${line} in ${text}`);
    }
  });

  it("has the labels as comments that they cannot close", () => {
    assert.match(text, /\/\*\* Name \*\u200b\/ of it \*\/\n {2}readonly name/);
  });
});

describe("the names of those interfaces", () => {
  it("differ where the types differ only in characters that are invalid in identifiers", () => {
    const types = ["a-b", "A_b", "a_b", "ab", "2nd"].map((name) => flexType([], { name }));
    assert.deepEqual(
      namedTypes(types).map(({ type, interfaceName }) => [type.name, interfaceName]),
      [
        ["a-b", "ABRecord"],
        ["A_b", "ABRecord2"],
        ["a_b", "ABRecord3"],
        ["ab", "AbRecord"],
        ["2nd", "_2ndRecord"],
      ],
    );
  });
});

describe("schemaType", () => {
  for (const [title, schema, type] of [
    ["plain values", { type: "integer" }, "number"],
    ["choices", { enum: ["a", 1, null] }, '"a" | 1 | null'],
    ["a constant", { const: 'quo"te' }, '"quo\\"te"'],
    ["alternatives", { anyOf: [{ type: "string" }, { type: "null" }] }, "string | null"],
    ["no alternatives", { enum: [] }, "never"],
    [
      "everything at once",
      { allOf: [{ type: ["string", "null"] }, { type: "string" }] },
      "(string | null) & string",
    ],
    ["several types", { type: ["string", "number"] }, "string | number"],
    ["lists", { type: "array", items: { enum: ["a", "b"] } }, 'readonly ("a" | "b")[]'],
    [
      "maps",
      { type: "object", additionalProperties: { type: "boolean" } },
      "{ readonly [name: string]: boolean }",
    ],
    ["anything", true, "unknown"],
    ["what it does not know", { type: "tuple" }, "unknown"],
  ] as const) {
    it(`returns ${title}`, () => assert.equal(schemaType(schema), type));
  }

  it("quotes unusual keys and lets no description close its comment", () => {
    const properties = { "a-b": { type: "string", description: "ends */ here" } };
    const type = schemaType({ type: "object", properties, required: ["a-b"] });
    assert.match(type, /readonly "a-b": string;/);
    assert.equal(type.split("*/").length, 2);
  });
});
