import assert from "node:assert/strict";
import { documentRow } from "../../../plugins/search-postgres/write.js";
import { sampleDocument } from "../../../plugins/search/testing/engine-suite.js";
import { createSearchTools } from "../../../plugins/search/query/score.js";

const tools = createSearchTools({});
const document = sampleDocument({
  route: "/a",
  title: "Ápple pie",
  body: "apple Apple tree \0",
  fields: { note: "apple apple tree" },
  taxonomy: { tag: ["tree", "apple tree"], category: ["pie"] },
});

describe("the rows of a document", () => {
  it("have a digest that changes with any part of the document", () => {
    const digest = documentRow(document, tools).digest;
    assert.equal(documentRow({ ...document }, tools).digest, digest);
    for (const rest of [
      { body: "x" },
      { access: "m" },
      { lang: "de" },
      { facets: { a: ["b"] } },
      { date: "2024-01-01" },
    ]) {
      assert.notEqual(
        documentRow({ ...document, ...rest }, tools).digest,
        digest,
        JSON.stringify(rest),
      );
    }
  });

  it("normalise titles like queries, and contain only valid text", () => {
    const row = documentRow(
      { ...document, title: "Ápple\0 Pie", template: "a\0", access: "m\0" },
      tools,
    );
    assert.equal(documentRow(document, tools).title_key, tools.normalizeText("apple pie"));
    assert.ok(!JSON.stringify({ ...row, digest: "" }).includes("\\u0000"), JSON.stringify(row));
  });
});
