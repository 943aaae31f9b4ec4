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

describe("the weights of fields", () => {
  it("replace a built-in weight with the configured one, including the exact title", () => {
    const points = createPoints({
      title: { weight: 6 },
      subtitle: { weight: 2.5 },
      constructor: { weight: 4 },
    });
    assert.equal(scoreMatches([match({ title: true, fields: ["subtitle"] })], true, points), 18.5);
    assert.equal(points.field("__proto__"), 1000);
    assert.equal(points.field("constructor"), 4000);
  });

  it("count in the points of each field, which add up to the score", () => {
    const matches = [match({ title: true, body: 7 }), match({ taxonomy: 1, fields: ["note"] })];
    const explained = explainMatches(["ab", "cd"], matches, true, createPoints({}));
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
