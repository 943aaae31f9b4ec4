import assert from "node:assert/strict";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { csvValue, formatCsv } from "../../../lib/text/csv.js";
import { toCsv } from "../../../plugins/panel/client/screens/records/csv.js";

const FORMULAS = [
  "=1+1",
  "+1+1",
  "-2+3+cmd|' /C calc'!A0",
  "-1-1",
  "@SUM(A1)",
  "|calc",
  "%0",
  "\t=1",
  "\r=1",
  "\n=1",
  " =1",
  "\u00a0=1",
  "\u200b=1",
  "\0=1",
  "＝1",
  "＋1",
  "－1",
  "＠A",
  "'=1",
  "-",
  "-.5e3+1",
];

/** The cells of the only row. */
function cellsOf(text: string): string[] {
  const rows: string[][] = parse(text, { bom: true, relax_column_count: true });
  return rows.flat();
}

describe("CSV", () => {
  for (const value of FORMULAS) {
    it(`writes ${JSON.stringify(value)} with a quote before it`, () => {
      assert.deepEqual(cellsOf(formatCsv([[value, "x"]])), [`'${value}`, "x"]);
    });

    it(`writes ${JSON.stringify(value)} of a record with a quote before it`, () => {
      const name = {
        name: "name",
        type: "text",
        label: "Name",
        help: "",
        required: false,
        options: [],
        min: null,
        max: null,
        pattern: null,
        when: null,
        group: "",
        tab: "",
        fields: [],
      };
      const type = { name: "boats", title: "Boats", description: "", fields: [name] };
      const meta = { _id: "a", _type: "boats", _createdAt: 0, _updatedAt: 0, _published: true };
      const text = toCsv(type, [{ ...meta, name: value }]);
      assert.deepEqual(cellsOf(text), ["_id", "name", "a", `'${value}`]);
    });
  }

  for (const value of ["", "-1", "-1.5", "0", "12", "a=b", "a-b", "'x", "O'Hara", "é", "1-2"]) {
    it(`writes ${JSON.stringify(value)} as it is`, () => {
      assert.deepEqual(cellsOf(formatCsv([[value, "x"]])), [value, "x"]);
    });
  }

  it("gives back every value", () => {
    const letters = fc.constantFrom("'", "=", "-", "1", " ", "\t", "\r", "\n", '"', ",", "a", "＝");
    const value = fc.oneof(fc.string(), fc.string({ unit: letters }));
    fc.assert(
      fc.property(fc.array(value, { minLength: 2 }), (values) => {
        assert.deepEqual(
          cellsOf(formatCsv([["x", ...values]]))
            .slice(1)
            .map(csvValue),
          values,
        );
      }),
    );
  });
});
