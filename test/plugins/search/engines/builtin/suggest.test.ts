import assert from "node:assert/strict";
import { suggestFrom } from "../../../../../plugins/search/engines/builtin/builtin-engine.js";
import { sampleDocument } from "../../../../../plugins/search/testing/engine-suite.js";
import { bury, segmentOf } from "../../../../support/content/segments.js";

const documents = [
  sampleDocument({ route: "/1", title: "Tree", body: "trees treetop" }),
  sampleDocument({ route: "/2", title: "Treat", body: "trees", lang: "de" }),
  sampleDocument({ route: "/3", title: "Treason", body: "treasonable", access: "member" }),
];
const segments = () => [segmentOf(documents.slice(0, 1)), segmentOf(documents.slice(1))];
const suggest = (prefix: string, scope = {}, list = segments()): string[] =>
  suggestFrom(list, prefix, 10, { access: [""], lang: null, ...scope });

describe("suggestions of the built-in engine", () => {
  it("are titles, then terms by number of documents, that the viewer may find", () => {
    assert.deepEqual(suggest("TRE"), ["Treat", "Tree", "trees", "treetop"]);
    assert.deepEqual(suggest("treas"), []);
    assert.deepEqual(suggest("treas", { access: ["", "member"] }), ["Treason", "treasonable"]);
  });

  it("are limited to one language when it is given", () => {
    assert.deepEqual(suggest("tre", { lang: "de" }), ["Treat", "trees"]);
  });

  it("exclude removed documents", () => {
    const list = segments();
    for (const segment of list) bury(segment, "/1");
    assert.deepEqual(suggest("tre", {}, list), ["Treat", "trees"]);
  });

  for (const prefix of ["", "t", " ", "\0", "(", "__proto__", "x".repeat(9_000)]) {
    it(`are empty for ${JSON.stringify(prefix.slice(0, 12))}`, () =>
      assert.deepEqual(suggest(prefix), []));
  }

  it("are limited to the requested number", () => {
    assert.equal(suggestFrom(segments(), "tre", 3, { access: [""], lang: null }).length, 3);
  });
});
