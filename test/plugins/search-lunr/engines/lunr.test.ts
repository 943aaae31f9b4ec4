import fc from "fast-check";
import { createLunrEngine } from "../../../../plugins/search-lunr/engines/lunr.js";
import {
  searchEngineContract,
  searchRankingContract,
} from "../../../../plugins/search/testing/search-engine-contract.js";
import { streamOf } from "../../../../plugins/search/testing/engine-suite.js";
import { createSearchTools } from "../../../../plugins/search/query/score.js";
import { naiveSearch } from "../../../support/oracles/naive-search.js";
import {
  arbitraryCorpus,
  arbitraryQuery,
  assertSameAnswer,
} from "../../../support/content/search-corpora.js";

const engine = () => createLunrEngine(createSearchTools({}));

searchEngineContract("lunr", { create: async () => engine() }, { describe, it });
searchRankingContract("lunr", { create: async () => engine() }, { describe, it });

describe("lunr search engine", () => {
  it("matches the naive scorer for any corpus and query", async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryCorpus, arbitraryQuery, async (documents, query) => {
        const built = engine();
        await built.build(streamOf(documents));
        assertSameAnswer(await built.search(query), naiveSearch(documents, query));
      }),
      { numRuns: 300 },
    );
  });
});
