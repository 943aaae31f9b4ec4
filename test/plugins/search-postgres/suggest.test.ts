import assert from "node:assert/strict";
import { type Statement, suggestions } from "../../../plugins/search-postgres/queries.js";
import { createSearchTools } from "../../../plugins/search/query/score.js";

describe("suggestions of PostgreSQL", () => {
  async function ask(prefix: string, answers: unknown[][], limit = 10) {
    const asked: Statement[] = [];
    const source = {
      schema: "s",
      tools: createSearchTools({}),
      ask: async <R>(statement: Statement): Promise<R[]> =>
        JSON.parse(JSON.stringify(answers[asked.push(statement) - 1] ?? [])),
    };
    const found = await suggestions(source, {
      prefix,
      limit,
      scope: { access: ["", "k\0"], lang: "en" },
    });
    return { found, asked };
  }

  it("are titles, then terms that are no such title, up to the limit", async () => {
    const answers = [
      [{ key: "tree", title: "Tree" }],
      [{ term: "tree" }, { term: "trees" }, { term: "treetop" }],
    ];
    assert.deepEqual((await ask("TR", answers)).found, ["Tree", "trees", "treetop"]);
    assert.deepEqual((await ask("TR", answers, 2)).found, ["Tree", "trees"]);
  });

  it("are similar words only when nothing has the prefix", async () => {
    const { found, asked } = await ask("tere", [[], [], [{ term: "tree" }]]);
    assert.deepEqual([found, asked.length], [["tree"], 3]);
  });

  it("omit titles without a word", async () => {
    assert.deepEqual((await ask("--", [[{ key: "--", title: "--" }]])).found, []);
  });

  it("check the viewer's access and language in every statement, with the prefix as a parameter", async () => {
    const { asked } = await ask("x'; drop", []);
    assert.equal(asked.length, 3);
    for (const { text, values } of asked) {
      assert.match(text, /access = any\(\$3::text\[\]\)/);
      assert.doesNotMatch(text, /drop/);
      assert.deepEqual([values[2], values[3]], [["", "k"], "en"]);
    }
  });

  for (const prefix of ["", "t", " "]) {
    it(`run no query for ${JSON.stringify(prefix)}`, async () =>
      assert.equal((await ask(prefix, [])).asked.length, 0));
  }
});
