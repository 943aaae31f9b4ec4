import type { SearchEngine, Points } from "../../contract.js";
import { explainDocument } from "./explain.js";
import { runQuery } from "./run-query.js";
import { Scorer } from "./add-scores.js";
import { Segments } from "./segments.js";
import { Slots } from "./slots.js";
import { termRange } from "./segment.js";
import { readSnapshot, writeSnapshot } from "./snapshot.js";
import { suggestFrom } from "./suggest.js";

/** The default engine: a compact inverted index in memory with the default score. */
export function createBuiltinEngine(points: Points): Required<SearchEngine> {
  let index = new Segments([], new Slots());
  let scorer = new Scorer(points, index.slots);
  const use = (next: Segments): void => {
    index.close();
    index = next;
    scorer = new Scorer(points, next.slots);
  };
  return {
    async build(documents) {
      use(await Segments.build(documents, new Slots()));
    },
    async update({ upsert, remove }) {
      index.update(upsert, remove);
    },
    search: (query) => runQuery(index.list, query, scorer),
    suggest: (prefix, limit, scope = { access: [""], lang: null }) =>
      suggestFrom(index.list, { prefix, limit }, scope),
    words: ({ prefix, shortest, longest }) => {
      const all = index.list.flatMap(({ terms }) => terms.slice(...termRange(terms, prefix)));
      return [...new Set(all)].filter(({ length }) => length >= shortest && length <= longest);
    },
    facetCounts: (query) =>
      runQuery(index.list, { ...query, limit: 0, offset: 0 }, scorer).facets ?? {},
    explain(query, route) {
      const found = index.find(route);
      return found ? explainDocument(found, query, { points, slots: index.slots }) : null;
    },
    async save() {
      await index.settled();
      return writeSnapshot({ segments: index.list, slots: index.slots });
    },
    async load(bytes) {
      const snapshot = await readSnapshot(bytes);
      if (snapshot) use(new Segments(snapshot.segments, snapshot.slots));
      return snapshot !== null;
    },
    close: () => index.close(),
  };
}
