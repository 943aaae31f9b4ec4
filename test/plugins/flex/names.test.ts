import assert from "node:assert/strict";
import { readFlexName, isFlexName } from "../../../plugins/flex/records/flex-files.js";

describe("isFlexName", () => {
  it("takes letters, digits, dashes and underscores", () => {
    for (const name of ["a", "Product_2-b", "0123456789ab", "x".repeat(64)])
      assert.ok(isFlexName(name));
  });

  const hostile = ["", "x".repeat(65), "a/b", "..", "a.b", "a b", "ä", "a\0", "a\n", "%2e", "a\\b"];
  for (const name of hostile) {
    it(`rejects ${JSON.stringify(name)}`, () => assert.ok(!isFlexName(name)));
  }
});

describe("flexNameOf", () => {
  it("takes the stem of a YAML file", () => {
    assert.equal(readFlexName("product.yaml"), "product");
    for (const file of ["product.yml", ".tmp-1.yaml", "a.b.yaml", ".yaml", "product"]) {
      assert.equal(readFlexName(file), null);
    }
  });
});
