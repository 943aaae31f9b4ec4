import assert from "node:assert/strict";
import fc from "fast-check";
import {
  codeSpanEnds,
  decodeEntity,
  stripInline,
} from "../../../../plugins/markdown/parse/plain-inline.js";

describe("stripInline", () => {
  for (const [source, text] of [
    ["_under_ and snake_case_name", "under and snake_case_name"],
    ["`never closed", "never closed"],
    ["[text](a(b)c) after", "text after"],
    ["[text][label] after", "text after"],
    ["[*inner*](x)", "inner"],
    ["really!", "really!"],
    ["note[^1] here", "note here"],
    ["a\\b", "a\\b"],
    ["a<b>c</b>d", "acd"],
    ["a<br>b<p>c", "a b c"],
    ["a<!-- hidden -->b", "a b"],
    ["a<STYLE>p{}</STYLE>b", "a b"],
    ["&lt;b&gt; &amp; &unknown;", "<b> & &unknown;"],
    ["  two   spaces\t\n\n next ", "two spaces\nnext"],
  ] as const) {
    it(`reads ${JSON.stringify(source)}`, () => assert.equal(stripInline(source), text));
  }

  it("terminates for any text, without trailing blanks", () => {
    const mark = fc.constantFrom(
      "[",
      "]",
      "(",
      ")",
      "`",
      "``",
      "<",
      ">",
      "<!--",
      "<script",
      "*",
      "_",
      "~~",
      "!",
      "\\",
      "&",
      "&#",
      "\n",
      " ",
      "a",
    );
    fc.assert(
      fc.property(fc.array(mark, { maxLength: 40 }), (marks) => {
        for (const line of stripInline(marks.join("")).split("\n")) assert.equal(line, line.trim());
      }),
    );
  });
});

describe("decodeEntity", () => {
  for (const [entity, text] of [
    ["&amp;", "&"],
    ["&lt;", "<"],
    ["&nbsp;", " "],
    ["&shy;", ""],
    ["&Auml;", "Ä"],
    ["&auml;", "ä"],
    ["&#65;", "A"],
    ["&#x1F600;", "😀"],
    ["&#X41;", "A"],
    ["&#0;", "\ufffd"],
    ["&#xD800;", "\ufffd"],
    ["&#x110000;", "\ufffd"],
  ] as const) {
    it(`reads ${entity} as ${JSON.stringify(text)}`, () => {
      assert.deepEqual(decodeEntity(`ab${entity}cd`, 2), { text, end: 2 + entity.length });
    });
  }

  for (const source of [
    "&amp",
    "& amp;",
    "&unknown;",
    "&constructor;",
    "&toString;",
    "&#;",
    "&#xG;",
    "&#12345678;",
    "&",
  ]) {
    it(`ignores ${source}`, () => assert.equal(decodeEntity(source, 0), null));
  }

  it("only looks at the given position", () => assert.equal(decodeEntity("x&amp;", 0), null));
});

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
