import assert from "node:assert/strict";
import { formatTraceparent, parseTraceparent } from "../../../plugins/tracing/traceparent.js";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const spanId = "b7ad6b7169203331";

describe("traceparent", () => {
  it("is parsed and formatted as in the standard", () => {
    for (const [flags, sampled] of [
      ["01", true],
      ["00", false],
      ["03", true],
    ] as const) {
      const parent = parseTraceparent(`00-${traceId}-${spanId}-${flags}`);
      assert.deepEqual(parent, { traceId, spanId, sampled });
    }
    const header = `00-${traceId}-${spanId}-01`;
    assert.equal(formatTraceparent({ traceId, spanId, sampled: true }), header);
  });

  it("of a later version is parsed as far as known", () => {
    const parent = { traceId, spanId, sampled: true };
    assert.deepEqual(parseTraceparent(`cc-${traceId}-${spanId}-01-what-else`), parent);
  });

  for (const text of [
    undefined,
    "",
    "00",
    `00-${traceId}-${spanId}-01-more`,
    `ff-${traceId}-${spanId}-01`,
    `00-${"0".repeat(32)}-${spanId}-01`,
    `00-${traceId}-${"0".repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${traceId.slice(1)}-${spanId}-01`,
    `00-${traceId}-${spanId}-1`,
    `00-${traceId}-${spanId}-01\n`,
    `cc-${traceId}-${spanId}-01-${"x".repeat(300)}`,
    ["00", "01"],
  ]) {
    it(`is ignored when it is ${JSON.stringify(text)?.slice(0, 40)}`, () => {
      assert.equal(parseTraceparent(text), null);
    });
  }
});
