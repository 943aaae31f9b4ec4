import assert from "node:assert/strict";
import { mapSrcset, parseSrcset } from "../../../../plugins/markdown/render/html/safe-url.js";

describe("parseSrcset", () => {
  const pairs = (value: string) =>
    parseSrcset(value).map(({ url, descriptor }) => [url, descriptor]);

  for (const [value, expected] of [
    ["a.png", [["a.png", ""]]],
    [
      "a.png 1x, b.png 2x",
      [
        ["a.png", "1x"],
        ["b.png", "2x"],
      ],
    ],
    ["a.png 100w,b.png 200w", [["a.png", "100w,b.png"]]],
    [
      "a.png, b.png 2x",
      [
        ["a.png", ""],
        ["b.png", "2x"],
      ],
    ],
    ["a,b.png 1x", [["a,b.png", "1x"]]],
    [
      "\n a.png\t1.5x ,\n b.png ",
      [
        ["a.png", "1.5x"],
        ["b.png", ""],
      ],
    ],
    ["", []],
    [" , ,, ", []],
  ] as const) {
    it(`parses ${JSON.stringify(value)}`, () => assert.deepEqual(pairs(value), expected));
  }
});

describe("mapSrcset", () => {
  const upper = (url: string): string => url.toUpperCase();

  for (const [value, expected] of [
    ["a.png 1x, b.png 2x", "A.PNG 1x, B.PNG 2x"],
    ["a.png", "A.PNG"],
    ["a.png 100w, b.png 1.5x", "A.PNG 100w, B.PNG 1.5x"],
    ["javascript:x 1x, b.png 2x", "B.PNG 2x"],
    ["data:image/png,x 1x", ""],
    ["a.png 2y, b.png 2x", "B.PNG 2x"],
    ["a.png x", ""],
  ] as const) {
    it(`writes ${JSON.stringify(value)} as ${JSON.stringify(expected)}`, () => {
      assert.equal(mapSrcset(value, upper), expected);
    });
  }

  it("rejects an unsafe URL returned by the map", () => {
    assert.equal(
      mapSrcset("a.png 1x", () => "javascript:x"),
      "",
    );
  });
});
