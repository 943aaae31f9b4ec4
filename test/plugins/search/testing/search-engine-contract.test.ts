import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { SearchEngine } from "../../../../plugins/search/contract.js";
import { ENGINE_RULES, type SuiteRunner } from "../../../../plugins/search/testing/engine-suite.js";
import {
  searchEngineContract,
  searchRankingContract,
} from "../../../../plugins/search/testing/search-engine-contract.js";
import { createSearchTools } from "../../../../plugins/search/query/score.js";
import { createBm25Engine } from "../../../support/oracles/bm25-engine.js";

const create = async (): Promise<SearchEngine> => createBm25Engine(createSearchTools({}));

searchEngineContract("with BM25", { create }, { describe, it });

describe("the suites for search engines", () => {
  /** Titles of the checks that an engine fails, or what `show` has of the failures. */
  async function failures(
    suite: typeof searchEngineContract,
    make: () => Promise<SearchEngine>,
    show?: (error: Error) => string,
  ): Promise<string[]> {
    const checks: { title: string; body(): unknown }[] = [];
    const runner: SuiteRunner = {
      describe: (_, body) => body(),
      it: (title, body) => void checks.push({ title, body }),
    };
    suite("under test", { create: make }, runner);
    const failed: string[] = [];
    for (const { title, body } of checks) {
      try {
        await body();
      } catch (error) {
        assert.ok(error instanceof assert.AssertionError, String(error));
        failed.push(show?.(error) ?? title);
      }
    }
    return failed;
  }

  /** The engine with a replaced search. */
  const changed =
    (search: (engine: SearchEngine) => SearchEngine["search"]) =>
    async (): Promise<SearchEngine> => {
      const engine = await create();
      return { ...engine, search: search(engine) };
    };

  it("do not check the default scores in the contract", async () => {
    assert.deepEqual(await failures(searchEngineContract, create), []);
    const ranked = await failures(searchRankingContract, create);
    assert.ok(
      ranked.some((title) => title.startsWith("scores title 3")),
      ranked.join("\n"),
    );
  });

  it("state the rule of suggestions, and the docs have all rules", async () => {
    const make = async (): Promise<SearchEngine> => {
      const engine = await create();
      return {
        ...engine,
        suggest: async (...given) => [...(await engine.suggest(...given))].toReversed(),
      };
    };
    const failed = await failures(searchEngineContract, make, ({ message }) => message);
    const message = failed.find((text) => text.includes("Tied new"));
    assert.match(
      message ?? "",
      /the rule is: suggestions are titles that begin with the prefix, in alphab/,
    );
    const docs = readFileSync("content/06.extend/05.search-engine/docs.md", "utf8");
    const text = docs.replaceAll(/\s+/g, " ");
    for (const rule of Object.values(ENGINE_RULES)) assert.ok(text.includes(rule), rule);
  });

  it("fail an engine whose hits are out of order", async () => {
    const reversed = changed((engine) => async (query) => {
      const { hits, ...rest } = await engine.search(query);
      return { ...rest, hits: hits.toReversed() };
    });
    const failed = await failures(searchEngineContract, reversed);
    assert.ok(failed.includes("finds a word in every field"), failed.join("\n"));
    assert.ok(failed.includes("sorts by date, undated last, then by route"), failed.join("\n"));
  });

  it("fail an engine that shows gated documents to all visitors", async () => {
    const open = changed(
      (engine) => (query) => engine.search({ ...query, access: ["", "member"] }),
    );
    const [failed = ""] = await failures(searchEngineContract, open);
    assert.match(failed, /hides documents whose access key the viewer lacks/);
  });
});
