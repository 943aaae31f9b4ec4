import assert from "node:assert/strict";
import { searchSql } from "../../../plugins/search-postgres/queries.js";
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

  it("orders by points only with words and without order by date", () => {
    const ordered = (words: string, sort: "date" | "relevance") =>
      searchSql("s", toQuery(words, { sort }), tools).text.includes("order by points desc");
    assert.deepEqual(
      [ordered("pear", "relevance"), ordered("pear", "date"), ordered("", "relevance")],
      [true, false, false],
    );
  });

  it("leaves a facet's own selection out of its counts", () => {
    const filters = { taxonomy: {}, facets: { colour: ["red"], size: ["small"] } };
    const { text } = searchSql("s", toQuery("", { filters, facets: ["colour"] }), tools);
    const [condition = ""] =
      /from found, jsonb_array_elements_text.*? where (.*?) group by/s.exec(text)?.slice(1) ?? [];
    assert.equal(condition.split(" and ").length, 1, condition);
  });
});
