import assert from "node:assert/strict";
import { HttpError } from "#kernel";
import type { SearchResult } from "../../../plugins/search/contract.js";
import {
  EngineGuard,
  isSearchResult,
  isSuggestions,
} from "../../../plugins/search/engine-guard.js";
import { deferred } from "../../support/deferred.js";

const isUnavailable = (error: unknown): boolean =>
  error instanceof HttpError &&
  error.status === 503 &&
  error.code === "ERR_SEARCH_UNAVAILABLE" &&
  error.headers?.["Retry-After"] === "5";

describe("the guard before an engine", () => {
  const result: SearchResult = { total: 0, hits: [] };

  it("returns the result of a valid engine, synchronous or not", async () => {
    const guard = new EngineGuard(1_000);
    assert.equal(await guard.ask(() => result, isSearchResult), result);
    assert.equal(await guard.ask(async () => result, isSearchResult), result);
    assert.equal(guard.error, null);
  });

  for (const [what, question] of [
    [
      "throws",
      () => {
        throw new Error("broken");
      },
    ],
    ["rejects", () => Promise.reject(new Error("broken"))],
    ["answers nonsense", () => JSON.parse(`{"total":-1,"hits":[]}`)],
    ["hangs", () => new Promise<never>(() => undefined)],
  ] as const) {
    it(`responds 503 when the engine ${what}, and clears the error after a success`, async () => {
      const guard = new EngineGuard(20);
      await assert.rejects(guard.ask(question, isSearchResult), isUnavailable);
      assert.notEqual(guard.error, null);
      await guard.ask(() => result, isSearchResult);
      assert.equal(guard.error, null);
    });
  }

  it("stops calling at sixteen pending calls, and calls again when one has ended", async () => {
    const guard = new EngineGuard(1);
    const first = deferred<string[]>();
    let asked = 0;
    const hang = (): Promise<string[]> =>
      ++asked === 1 ? first.promise : new Promise(() => undefined);
    for (let at = 0; at < 20; at++)
      await assert.rejects(guard.ask(hang, isSuggestions), isUnavailable);
    assert.equal(asked, 16);
    first.resolve([]);
    await first.promise;
    assert.deepEqual(await guard.ask(async () => ["a"], isSuggestions), ["a"]);
  });
});

describe("the shape of an engine's result", () => {
  for (const value of [
    null,
    1,
    [],
    {},
    { total: 1 },
    { total: "1", hits: [] },
    { total: NaN, hits: [] },
    { total: 1, hits: [null] },
    { total: 1, hits: [{ route: 1, score: 1 }] },
    { total: 1, hits: [{ route: "/", score: Infinity }] },
  ]) {
    it(`is not ${JSON.stringify(value)}`, () => assert.equal(isSearchResult(value), false));
  }

  it("is a list of strings for suggestions", () => {
    assert.equal(isSuggestions(["a"]), true);
    for (const value of [null, "a", [1], { 0: "a" }]) assert.equal(isSuggestions(value), false);
  });
});
