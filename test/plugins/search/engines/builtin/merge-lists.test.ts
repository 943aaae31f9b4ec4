import assert from "node:assert/strict";
import { runAtOnce } from "#lib/concurrency";
import { mergeLists, renumber } from "../../../../../plugins/search/engines/builtin/merge.js";
import { POSTING_BITS, TITLE_BIT } from "../../../../../plugins/search/engines/builtin/segment.js";
import { sampleDocument } from "../../../../../plugins/search/testing/engine-suite.js";
import { bury, segmentOf } from "../../../../support/content/segments.js";

const page = (route: string, body: string, title = "") => sampleDocument({ route, title, body });

describe("the lists of two segments", () => {
  const left = segmentOf([page("/a", "apple pear"), page("/gone", "apple quince")]);
  const right = segmentOf([page("/b", "pear pear zebra", "Apple")]);
  bury(left, "/gone");
  const pair = [left, right] as const;
  const merged = runAtOnce(mergeLists(pair, runAtOnce(renumber(pair))));

  it("contain each term once, in order, and none whose documents are all removed", () => {
    assert.deepEqual(
      merged.terms.filter((term) => /apple|pear|quince|zebra/.test(term)),
      ["apple", "pear", "zebra"],
    );
    assert.equal(merged.starts.length, merged.terms.length + 1);
    assert.equal(merged.starts.at(-1), merged.postings.length);
  });

  it("preserve the postings of a term and document, under its new number", () => {
    const of = (term: string): number[] => {
      const at = merged.terms.indexOf(term);
      return [...merged.postings.subarray(merged.starts[at], merged.starts[at + 1])].sort();
    };
    const [a, b] = [0 << POSTING_BITS, 1 << POSTING_BITS];
    assert.deepEqual(of("apple"), [a | 1, b | TITLE_BIT]);
    assert.deepEqual(of("pear"), [a | 1, b | 2]);
  });
});
