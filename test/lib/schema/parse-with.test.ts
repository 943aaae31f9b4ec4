import assert from "node:assert/strict";
import { z } from "zod";
import { HttpError } from "#kernel";
import { parseWith } from "#lib/schema";

describe("parseWith", () => {
  const schema = z.object({
    limit: z.coerce.number("expected a number").default(20),
    order: z.enum(["date", "title"], "expected date or title").optional(),
    deep: z.object({ key: z.string("expected text") }).optional(),
  });

  it("returns the parsed value, with defaults", () => {
    assert.deepEqual(parseWith(schema, {}), { limit: 20 });
    assert.deepEqual(parseWith(schema, { limit: "3", other: 1 }), { limit: 3 });
  });

  it("names the first parameter in the message and all of them in the details", () => {
    assert.throws(
      () => parseWith(schema, { limit: "x", order: "size", deep: { key: 1 } }),
      (error) => {
        assert.ok(error instanceof HttpError);
        assert.deepEqual([error.status, error.code], [400, "ERR_HTTP_PARAMETER"]);
        assert.equal(error.message, "limit: expected a number");
        assert.deepEqual(error.details, [
          { parameter: "limit", message: "expected a number" },
          { parameter: "order", message: "expected date or title" },
          { parameter: "deep.key", message: "expected text" },
        ]);
        return true;
      },
    );
  });

  it("throws another status if given", () => {
    assert.throws(() => parseWith(schema, { limit: "x" }, { status: 422 }), { status: 422 });
  });

  it("names no parameter when the value as a whole is invalid", () => {
    assert.throws(() => parseWith(z.object({}), null), { message: "expected keys and values" });
  });

  it("has a message where the schema has none", () => {
    const plain = z.object({ times: z.coerce.number().max(5), path: z.string() });
    const wrong = { times: "9", path: 1 };
    assert.throws(() => parseWith(plain, wrong), { message: "times: expected at most 5" });
    assert.throws(() => parseWith(plain, { times: 1 }), { message: "path: expected text" });
  });
});
