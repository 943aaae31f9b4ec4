import assert from "node:assert/strict";
import { errorMessagesIn } from "../../../scripts/docs/error-messages.js";

describe("the messages of an error code in the sources", () => {
  const said = (source: string) =>
    errorMessagesIn(source).map(([code, { message, fix }]) => [code, message, fix]);

  it("is the text beside the code, with values replaced", () => {
    const source =
      'throw new SiteError("ERR_A_B", `port ${port} of ${who({ a: 1 })} is in use`, { fix: "stop it" });\n';
    assert.deepEqual(said(source), [["ERR_A_B", "port … of … is in use", "stop it"]]);
  });

  it("has one mark for values that follow each other", () => {
    assert.deepEqual(said('x("ERR_A", `at ${path}${suffix}, ${a} ${b}`);'), [
      ["ERR_A", "at …, … …", null],
    ]);
  });

  it("is found across lines, in each kind of string, and in an object", () => {
    const source = `failure(\n "ERR_A",\n "one",\n);\nrefusal(403, "ERR_B", { message: 'two' });\n`;
    assert.deepEqual(said(source), [
      ["ERR_A", "one", null],
      ["ERR_B", "two", null],
    ]);
  });

  it("is not the next code of a list", () => {
    assert.deepEqual(said('const codes = ["ERR_A", "ERR_B", "ERR_C"];'), []);
  });

  it("has no fix of another error, and no composed one", () => {
    const source =
      'a("ERR_A", "one");\nb("ERR_B", "two", { fix: "repair" });\nc("ERR_C", "three", { fix });';
    assert.deepEqual(
      said(source).map(([, , fix]) => fix),
      [null, "repair", null],
    );
  });

  it("is missing where the text is composed elsewhere, or has nested templates", () => {
    assert.deepEqual(
      said('x("ERR_A", message); y("ERR_B", `a ${b(`c`)} d`); z("ERR_C", `${all}`)'),
      [],
    );
  });
});
