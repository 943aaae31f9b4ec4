import assert from "node:assert/strict";
import { createSearchTools } from "../../../../plugins/search/query/score.js";

describe("the tools of search", () => {
  it("score and explain a match consistently, with the site's weights", () => {
    const tools = createSearchTools({ note: { weight: 2 }, title: { weight: 4 } });
    const matches = [{ title: true, taxonomy: 1, body: 2, fields: ["note"] }];
    const score = tools.score(matches, false);
    assert.equal(score, tools.explain(["a"], matches, false).score);
    assert.equal(score, 4 + 2 + 2 + 2);
    assert.ok(
      createSearchTools({}).score(matches, true) > createSearchTools({}).score(matches, false),
    );
  });
});
