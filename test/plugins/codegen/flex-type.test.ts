import assert from "node:assert/strict";
import { recordInterface, recordName } from "../../../plugins/codegen/flex-type.js";
import { flexField, flexType } from "../../support/flex-type.js";

describe("the interface of a flex type's records", () => {
  const options = [{ value: 'sl"oop', label: "Sloop" }];
  const type = flexType([
    flexField("name", "text", { label: "Name */ of\nit", required: true }),
    flexField("length", "number"),
    flexField("afloat", "toggle", { default: false }),
    flexField("ports-of call", "list"),
    flexField("rig", "select", { options }),
    flexField("notes", "markdown"),
  ]);
  const text = recordInterface(type);

  it("is named after the type, and holds what the API adds", () => {
    assert.match(text, new RegExp(`export interface ${recordName(type)} \\{`));
    for (const line of [
      "_id: string",
      "_type: string",
      "_createdAt: number",
      "_updatedAt: number",
    ]) {
      assert.ok(text.includes(`  readonly ${line};\n`), line);
    }
  });

  it("says of each field its type, and whether it is always there", () => {
    for (const line of [
      "name: string",
      "length?: number",
      "afloat: boolean",
      '"ports-of call"?: readonly string[]',
      'rig?: "sl\\"oop"',
      "notes?: string",
    ]) {
      assert.ok(text.includes(`  readonly ${line};\n`), `${line} in ${text}`);
    }
  });

  it("has the labels as comments that they cannot end", () => {
    assert.match(text, /\/\*\* Name \*\u200b\/ of it \*\/\n {2}readonly name/);
  });
});
