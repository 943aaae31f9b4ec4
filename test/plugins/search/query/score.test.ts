import type { TermMatch } from "../../../../plugins/search/contract.js";
import assert from "node:assert/strict";
import {
  createPoints,
  explainMatches,
  scoreMatches,
} from "../../../../plugins/search/query/score.js";

const match = (rest: Partial<TermMatch>): TermMatch => ({
  title: false,
  taxonomy: 0,
  body: 0,
  fields: [],
  ...rest,
});
const usual = createPoints({});

describe("scoreMatches", () => {
  const cases: readonly [
    title: string,
    matches: (TermMatch | null)[],
    exact: boolean,
    score: number,
  ][] = [
    ["gives 3 for the title", [match({ title: true })], false, 3],
    ["gives 2 per taxonomy value", [match({ taxonomy: 2 })], false, 4],
    ["gives 1 per occurrence in the body", [match({ body: 4 })], false, 4],
    ["counts at most five occurrences in the body", [match({ body: 900 })], false, 5],
    ["gives 1 per further field", [match({ fields: ["template", "description"] })], false, 2],
    ["gives 5 for an exact title", [match({ title: true })], true, 8],
    [
      "multiplies by 1.5 when several terms all match",
      [match({ body: 1 }), match({ title: true })],
      true,
      13.5,
    ],
    ["does not multiply when one is missing", [match({ body: 1 }), null], false, 1],
  ];
  for (const [title, matches, exact, score] of cases) {
    it(title, () => assert.equal(scoreMatches(matches, exact, usual), score));
  }
  it("replaces a built-in weight with the configured one, including the exact title", () => {
    const points = createPoints({
      title: { weight: 6 },
      subtitle: { weight: 2.5 },
      constructor: { weight: 4 },
    });
    assert.equal(scoreMatches([match({ title: true, fields: ["subtitle"] })], true, points), 18.5);
    assert.equal(points.field("__proto__"), 1000);
    assert.equal(points.field("constructor"), 4000);
  });
});

describe("explainMatches", () => {
  it("contains the points of each field, which add up to the score", () => {
    const matches = [match({ title: true, body: 7 }), match({ taxonomy: 1, fields: ["note"] })];
    const explained = explainMatches(["ab", "cd"], matches, true, usual);
    const sum = explained.terms
      .flatMap((term) => term.matches)
      .reduce((points, row) => points + row.points, explained.exactTitle);
    assert.equal(sum * explained.factor, explained.score);
    assert.deepEqual(explained.terms[0]?.matches, [
      { field: "title", count: 1, points: 3 },
      { field: "body", count: 7, points: 5 },
    ]);
  });
});
