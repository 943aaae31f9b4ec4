import assert from "node:assert/strict";
import { runAtOnce } from "#lib/concurrency";
import { ForwardIndex } from "../../../../../plugins/search/engines/builtin/segment-builder.js";
import { POSTING_BITS, TITLE_BIT } from "../../../../../plugins/search/engines/builtin/segment.js";

const terms = (...ids: number[]): Uint32Array => Uint32Array.from(ids);

describe("the forward index", () => {
  it("is inverted to documents by term, in the requested order", () => {
    const index = new ForwardIndex();
    index.makeRoom(3);
    index.addTitle(terms(2));
    index.addBody(terms(0, 2, 0));
    index.endDocument();
    index.addBody(terms(1, 0, 0, 0, 0, 0, 0, 0));
    index.endDocument();
    const made = runAtOnce(index.invert(terms(1, 0, 2), terms(1, 0)));
    const [second, first] = [0 << POSTING_BITS, 1 << POSTING_BITS];
    assert.deepEqual(made.starts, terms(0, 1, 3, 4));
    assert.deepEqual(
      made.postings,
      terms(second | 1, second | 5, first | 2, first | TITLE_BIT | 1),
    );
  });

  it("counts a term once for each text besides title and body, and separately from these", () => {
    const index = new ForwardIndex();
    index.makeRoom(2);
    index.addExtra(terms(1, 1), 7);
    index.addExtra(terms(1), 8);
    index.endDocument();
    const made = runAtOnce(index.invert(terms(0, 1), terms(0)));
    assert.deepEqual(made.postings, terms(0));
    assert.deepEqual(made.extraStarts, terms(0, 0, 2));
    assert.deepEqual([...made.extraSlots], [7, 8]);
    assert.deepEqual(made.extraDocs, terms(0, 0));
  });

  it("stores documents of any length and number", () => {
    const index = new ForwardIndex();
    const all = Uint32Array.from({ length: 100_000 }, (_, at) => at);
    index.makeRoom(all.length);
    for (const length of [700, 700, 100_000, 1, 5_000]) {
      index.addBody(all.subarray(0, length));
      index.endDocument();
    }
    const { starts, postings } = runAtOnce(index.invert(all, terms(0, 1, 2, 3, 4)));
    const documents = [0, 699, 700, 4_999, 5_000].map((term) =>
      [...postings.subarray(starts[term], starts[term + 1])].map((bits) => bits >>> POSTING_BITS),
    );
    assert.deepEqual(documents, [[0, 1, 2, 3, 4], [0, 1, 2, 4], [2, 4], [2, 4], [2]]);
  });
});
