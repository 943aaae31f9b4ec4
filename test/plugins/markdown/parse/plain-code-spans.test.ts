import assert from "node:assert/strict";
import fc from "fast-check";
import { codeSpanEnds } from "../../../../plugins/markdown/parse/plain-inline.js";

/** The same by definition: for each run, the next one of its length. */
function slowly(source: string): [number, number][] {
  const ends: [number, number][] = [];
  const runs = [...source.matchAll(/`+/g)];
  for (let at = 0; at < runs.length; at += 1) {
    const run = runs[at];
    const close = runs.findIndex((other, index) => index > at && other[0] === run?.[0]);
    const end = runs[close];
    if (run === undefined || end === undefined) continue;
    ends.push([run.index, end.index]);
    at = close;
  }
  return ends;
}

describe("codeSpanEnds", () => {
  for (const [source, ends] of [
    ["a `b` c", [[2, 4]]],
    ["``a ` b``", [[0, 7]]],
    ["`a ``b` c``", [[0, 6]]],
    ["``a `b` c", [[4, 6]]],
    ["`never", []],
    ["none", []],
    ["", []],
  ] as const) {
    it(`of ${JSON.stringify(source)}`, () => assert.deepEqual([...codeSpanEnds(source)], ends));
  }

  it("match the definition", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[`a]{0,30}$/), (source) => {
        assert.deepEqual([...codeSpanEnds(source)], slowly(source));
      }),
    );
  });
});
