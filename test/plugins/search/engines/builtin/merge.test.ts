import assert from "node:assert/strict";
import fc from "fast-check";
import { runAtOnce } from "#lib/concurrency";
import { mergeSegments } from "../../../../../plugins/search/engines/builtin/merge.js";
import { type Segment, Slots } from "../../../../../plugins/search/engines/builtin/segment.js";
import { arbitraryCorpus } from "../../../../support/content/search-corpora.js";
import { bury, segmentOf } from "../../../../support/content/segments.js";

/** The contents of a segment, without dictionary numbers, which may differ. */
function said(segment: Segment): unknown {
  const {
    columns,
    byRoute,
    dead: _dead,
    extraDocs,
    extraSlots,
    extraStarts,
    postings,
    ...rest
  } = segment;
  const extras = segment.terms.map((_, term) =>
    Array.from(
      { length: (extraStarts[term + 1] ?? 0) - (extraStarts[term] ?? 0) },
      (_unused, at) => {
        const place = (extraStarts[term] ?? 0) + at;
        return `${extraDocs[place]} ${extraSlots[place]}`;
      },
    ).toSorted(),
  );
  // Unordered: a document has one posting per term.
  const lists = segment.terms.map((_, term) =>
    postings.slice(segment.starts[term], segment.starts[term + 1]).sort(),
  );
  const values = [...columns].flatMap(([name, { starts, ids, values: words }]) =>
    segment.routes.map((route, doc) => {
      const own = [...ids.subarray(starts[doc], starts[doc + 1])].map((id) => words[id]);
      return own.length === 0 ? "" : `${name} ${route} ${JSON.stringify(own.toSorted())}`;
    }),
  );
  return {
    ...rest,
    lists,
    extras,
    values: values.filter((value) => value !== "").toSorted(),
    byRoute: [...byRoute],
  };
}

describe("a merge of segments", () => {
  it("equals a segment built from the remaining documents of both", () => {
    fc.assert(
      fc.property(
        arbitraryCorpus,
        fc.infiniteStream(fc.constantFrom("left", "right", "dead left", "dead right")),
        (documents, stream) => {
          const slots = new Slots(["note", "template"]);
          const sides = documents.map((document) => ({
            document,
            side: String(stream.next().value),
          }));
          const of = (name: string) =>
            sides.filter(({ side }) => side.endsWith(name)).map(({ document }) => document);
          const pair = [segmentOf(of("left"), slots), segmentOf(of("right"), slots)] as const;
          for (const { document, side } of sides)
            if (side.startsWith("dead")) for (const one of pair) bury(one, document.route);
          const left = sides
            .filter(({ side }) => !side.startsWith("dead"))
            .map(({ document }) => document);
          const merged = runAtOnce(mergeSegments(pair));
          assert.equal(merged.deadCount, 0);
          assert.deepEqual(said(merged), said(segmentOf(left, slots)));
        },
      ),
    );
  });
});
