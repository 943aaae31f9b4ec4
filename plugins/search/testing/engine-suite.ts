import { globalRunner, stating, type TestRunner } from "#testing";
import type { SearchDocument, SearchEngine, SearchHit, SearchQuery } from "../contract.js";
import type { ENGINE_RULES, RANKING_RULES } from "./engine-rules.js";
import { samplePages, streamOf } from "./sample-documents.js";

/** How a suite creates an engine; `dispose` is called after each test. */
export interface EngineUnderTest {
  create(): Promise<SearchEngine>;
  dispose?(): Promise<void>;
}
/** The functions of a test runner that the suites call. */
export type SuiteRunner = Pick<TestRunner, "describe" | "it">;
/** A sentence of the docs. */
type SuiteRule =
  | (typeof ENGINE_RULES)[keyof typeof ENGINE_RULES]
  | (typeof RANKING_RULES)[keyof typeof RANKING_RULES];
/** A test of an engine that has built `documents`; default: the sample pages. */
export interface EngineCheck {
  title: string;
  /** The rule in one sentence, as the docs have it, for its author's eyes when the check fails. */
  rule: SuiteRule;
  run(engine: SearchEngine): Promise<void>;
  documents?: readonly SearchDocument[];
}

/** Runs checks below one title, each with a new engine. */
export function runEngineSuite(
  title: string,
  checks: readonly EngineCheck[],
  under: EngineUnderTest,
  runner: SuiteRunner = globalRunner(),
): void {
  runner.describe(title, () => {
    for (const check of checks) {
      runner.it(check.title, () => stating(check.rule, () => runCheck(check, under)));
    }
  });
}

async function runCheck(check: EngineCheck, under: EngineUnderTest): Promise<void> {
  const engine = await under.create();
  try {
    await engine.build(streamOf(check.documents ?? samplePages));
    await check.run(engine);
  } finally {
    await engine.close?.();
    await under.dispose?.();
  }
}

/** The hits of a query. */
export async function hitsOf(
  engine: SearchEngine,
  query: SearchQuery,
): Promise<readonly SearchHit[]> {
  return (await engine.search(query)).hits;
}

/** The routes of the hits, in order. */
export async function routesOf(engine: SearchEngine, query: SearchQuery): Promise<string[]> {
  return (await hitsOf(engine, query)).map(({ route }) => route);
}
