import assert from "node:assert/strict";
import { namedTypes, recordInterface } from "../../../plugins/codegen/site-types.js";
import { flexField, flexType } from "../../support/content/flex-type.js";

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
