import assert from "node:assert/strict";
import { HttpError, SiteError } from "#kernel";
import { EngineGuard } from "../../../plugins/search/engine-guard.js";
import { deferred } from "../../support/deferred.js";

const isUnavailable = (error: unknown): boolean =>
  error instanceof HttpError &&
  error.status === 503 &&
  error.code === "ERR_SEARCH_UNAVAILABLE" &&
  error.headers?.["Retry-After"] === "5";

const slot = { activeName: "mine", activePlugin: "my-search" };

describe("the guard before an engine", () => {
  it("stops calling at sixteen pending calls, and calls again when one has ended", async () => {
    const guard = new EngineGuard({ timeoutMs: 1, slot });
    const first = deferred<string[]>();
    let asked = 0;
    const hang = (): Promise<string[]> =>
      ++asked === 1 ? first.promise : new Promise(() => undefined);
    for (let at = 0; at < 20; at++) await assert.rejects(guard.ask("suggest", hang), isUnavailable);
    assert.equal(asked, 16);
    first.resolve([]);
    await first.promise;
    assert.deepEqual(await guard.ask("suggest", async () => ["a"]), ["a"]);
  });
});

describe("the error of an engine's invalid value", () => {
  const explained = { score: 1, terms: [], exactTitle: 0, factor: 1 };
  for (const [member, value, problem] of [
    [
      "search",
      { total: 1, hits: [{ route: "/a" }] },
      "hits.0.score: expected a number, received nothing",
    ],
    ["search", { total: "1", hits: [] }, 'total: expected a number, received "1"'],
    [
      "search",
      { hits: [], total: 1, facets: { colour: 3 } },
      "facets.colour: expected an object, received 3",
    ],
    [
      "search",
      { total: 1, hits: [{ route: "/a", score: 1, excerpt: 5 }] },
      "hits.0.excerpt: expected a string or nothing, received 5",
    ],
    ["suggest", ["a", 7], "1: expected a string, received 7"],
    ["words", "a", 'expected a list, received "a"'],
    ["facetCounts", { colour: { red: "2" } }, 'colour.red: expected a number, received "2"'],
    ["explain", { ...explained, factor: null }, "factor: expected a number, received null"],
  ] as const) {
    it(`names engine, plugin, member, field, the value and what is expected: ${problem}`, async () => {
      const guard = new EngineGuard({ timeoutMs: 1_000, slot });
      const asked = guard.ask<unknown>(member, () => value);
      await assert.rejects(asked, (error: unknown) => {
        assert.ok(error instanceof HttpError && error.cause instanceof SiteError);
        assert.equal(error.cause.code, "ERR_SEARCH_ENGINE");
        assert.equal(
          error.cause.message,
          `\`${member}\` of the engine "mine" of plugin "my-search" failed: it returned a wrong value: ${problem}`,
        );
        return true;
      });
      assert.match(guard.error ?? "", /"mine" of plugin "my-search"/);
    });
  }
});
