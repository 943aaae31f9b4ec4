import assert from "node:assert/strict";
import {
  searchSql,
  suggestions,
  type Statement,
} from "../../../plugins/search-postgres/queries.js";
import { toQuery } from "../../../plugins/search/testing/engine-suite.js";
import { createSearchTools } from "../../../plugins/search/query/score.js";

const hostile = `'"); drop table x; --`;
const tools = createSearchTools({ title: { weight: 7 }, note: { weight: 2 } });

describe("the statement of a search", () => {
  it("contains user input only as parameters, each used", () => {
    const filters = {
      template: hostile,
      from: hostile,
      to: hostile,
      taxonomy: { [hostile]: [hostile] },
      facets: { [hostile]: [hostile] },
    };
    const query = toQuery("pear", {
      text: hostile,
      terms: [hostile],
      lang: hostile,
      access: [hostile],
      facets: [hostile],
      filters,
    });
    const { text, values } = searchSql("site", query, tools);
    assert.doesNotMatch(text, /drop table/);
    const used = new Set([...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
    assert.deepEqual(
      [...used].toSorted((a, b) => a - b),
      values.map((_, at) => at + 1),
    );
  });

  it("always checks the viewer's access, also without words", () => {
    for (const words of ["", "pear"]) {
      const { text, values } = searchSql("site", toQuery(words, { access: ["", "key"] }), tools);
      const parameter = /access = any\(\$(\d+)::text\[\]\)/.exec(text)?.[1];
      assert.deepEqual(values[Number(parameter) - 1], ["", "key"]);
    }
  });
});

describe("the statements of suggestions", () => {
  async function statements(prefix: string): Promise<Statement[]> {
    const asked: Statement[] = [];
    const ask = async (statement: Statement): Promise<never[]> => {
      asked.push(statement);
      return [];
    };
    const scope = { access: ["", "k\0"], lang: "en" };
    await suggestions({ schema: "s", tools, ask }, { prefix, limit: 10, scope });
    return asked;
  }

  it("check the viewer's access and language, with the prefix as a parameter", async () => {
    const asked = await statements("x'; drop");
    assert.equal(asked.length, 3);
    for (const { text, values } of asked) {
      assert.match(text, /access = any\(\$3::text\[\]\)/);
      assert.doesNotMatch(text, /drop/);
      assert.deepEqual([values[2], values[3]], [["", "k"], "en"]);
    }
  });

  it("are none for prefixes without a word", async () => {
    for (const prefix of ["", "t", " "]) assert.deepEqual(await statements(prefix), [], prefix);
  });
});
