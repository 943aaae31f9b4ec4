import assert from "node:assert/strict";
import * as testing from "../../plugins/testing.js";
import type { TestRunner } from "#testing";
import { textOf } from "../support/repository.js";

type Runner = Pick<TestRunner, "describe" | "it" | "beforeEach" | "afterEach">;

const fails = (): never => {
  throw new Error("an engine that is not there");
};
const stores = { open: fails, again: fails, advance: fails, refuse: fails, fail: fails };
const nothing = async (): Promise<readonly never[]> => [];

/** Registers the checks of each suite, for an engine that cannot be created. */
const SUITES: Readonly<Record<string, (runner: Runner) => void>> = {
  searchEngineContract: (runner) => testing.searchEngineContract("none", { create: fails }, runner),
  searchRankingContract: (runner) =>
    testing.searchRankingContract("none", { create: fails }, runner),
  userStoreContract: (runner) => testing.userStoreContract(stores, runner),
  authzStoreContract: (runner) => testing.authzStoreContract(stores, runner),
  sessionStoreContract: (runner) => testing.sessionStoreContract(stores, runner),
  mailerContract: (runner) => testing.mailerContract({ ...stores, received: nothing }, runner),
  imageEngineContract: (runner) => testing.imageEngineContract(fails, runner),
  imageStoreContract: (runner) => testing.imageStoreContract(fails, runner),
  rateLimitContract: (runner) => testing.rateLimitContract(stores, runner),
  jobsContract: (runner) => testing.jobsContract(stores, runner),
  recordsContract: (runner) => testing.recordsContract(stores, runner),
};

/** The first line of the failure of each check, by title. */
async function failuresOf(suite: string): Promise<Map<string, string>> {
  const checks = new Map<string, () => unknown>();
  SUITES[suite]?.({
    describe: (_, body) => body(),
    it: (title, body) => void checks.set(title, body),
    // Without a store, each check fails at its first call.
    beforeEach: () => undefined,
    afterEach: () => undefined,
  });
  const failures = new Map<string, string>();
  for (const [title, body] of checks) {
    try {
      await body();
      failures.set(title, "it passes");
    } catch (error) {
      failures.set(
        title,
        String(error instanceof Error ? error.message : error).split("\n")[0] ?? "",
      );
    }
  }
  return failures;
}

describe("the rules of contract suites", () => {
  const docs = ["05.search-engine", "10.testing"]
    .map((page) => textOf(`content/06.extend/${page}/docs.md`))
    .join("\n")
    .replaceAll(/\s+/g, " ");

  it("belong to every suite of sitewright/testing", () => {
    const exported = Object.keys(testing).filter((name) => name.endsWith("Contract"));
    assert.deepEqual(Object.keys(SUITES).toSorted(), exported.toSorted());
  });

  for (const suite of Object.keys(SUITES)) {
    it(`${suite}: each check states a rule that the docs have`, async () => {
      const failures = await failuresOf(suite);
      assert.ok(failures.size > 3);
      for (const [title, failure] of failures) {
        assert.match(failure, /^the rule is: /, title);
        const rule = failure.slice("the rule is: ".length);
        assert.ok(docs.includes(`- ${rule} `), `${title}: ${rule}`);
      }
    });
  }
});
