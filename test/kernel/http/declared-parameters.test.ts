import assert from "node:assert/strict";
import { z } from "zod";
import { declaredParameters } from "../../../kernel/http/request/drop-parameters.js";

describe("the parameters that a route's responses depend on", () => {
  it("are the keys of its schema", () => {
    const dependsOn = declaredParameters({ query: z.object({ limit: z.string() }) });
    assert.deepEqual(
      ["limit", "x", "toString", "__proto__"].map((name) => dependsOn?.(name)),
      [true, false, false, false],
    );
  });

  it("are the declared ones, whatever the schema", () => {
    const parameters = (name: string): boolean => name === "q";
    const query = z.looseObject({ limit: z.string() });
    assert.equal(declaredParameters({ query, parameters }), parameters);
  });

  for (const [kind, query] of Object.entries({
    "keeps unknown keys": z.looseObject({ limit: z.string() }),
    "is no object": z.string(),
    "changes the object": z.object({ limit: z.string() }).transform((value) => value),
  })) {
    it(`are unknown for a schema that ${kind}`, () => {
      assert.equal(declaredParameters({ query }), undefined);
    });
  }

  it("are unknown for a route without a schema", () => {
    assert.equal(declaredParameters({}), undefined);
  });
});
