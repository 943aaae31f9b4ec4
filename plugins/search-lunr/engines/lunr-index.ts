import type lunr from "lunr";
import {
  createPause,
  runInSlices,
  sortInSlices,
  START_SLICE_MS,
  type Pause,
} from "#kernel/internal";

type Lunr = typeof lunr;
interface TokenSetBuilder {
  readonly root: lunr.TokenSet;
  insert(word: string): void;
  finish(): void;
}

/** The parts of a finished index that are used. */
export interface FinishedIndex {
  readonly index: lunr.Index;
  /** Every term, sorted. */
  readonly terms: readonly string[];
}

/**
 * Like `builder.build()`, but in steps of a few milliseconds, since a single step would block the
 * server for seconds. Skips weights: the shared scorer ranks, lunr only finds.
 */
export async function finishIndex(load: Lunr, builder: lunr.Builder): Promise<FinishedIndex> {
  const pause = createPause(START_SLICE_MS);
  const words = Object.keys(builder.invertedIndex);
  const terms = await runInSlices(sortInSlices(words, byCodeUnit), pause);
  const tokenSet = await tokenSetOf(load, terms, pause);
  const fieldVectors = await emptyVectors(load, builder, pause);
  // These three are the slow steps; the rest of `build` is fast.
  Object.assign(builder, {
    calculateAverageFieldLengths: () => undefined,
    createFieldVectors: () => undefined,
    createTokenSet: () => undefined,
    fieldVectors,
    tokenSet,
  });
  return { index: builder.build(), terms };
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

async function tokenSetOf(
  load: Lunr,
  terms: readonly string[],
  pause: Pause,
): Promise<lunr.TokenSet> {
  const Builder: unknown = Reflect.get(load.TokenSet, "Builder");
  if (!isTokenSetBuilder(Builder)) throw new TypeError("lunr has no TokenSet.Builder");
  const set = new Builder();
  for (const term of terms) {
    set.insert(term);
    await pause();
  }
  set.finish();
  return set.root;
}

function isTokenSetBuilder(value: unknown): value is new () => TokenSetBuilder {
  return typeof value === "function";
}

/** lunr requires a vector for each field of each document, which is never used here. */
async function emptyVectors(
  load: Lunr,
  builder: lunr.Builder,
  pause: Pause,
): Promise<Record<string, lunr.Vector>> {
  const empty = new load.Vector([]);
  const vectors: Record<string, lunr.Vector> = Object.create(null) as Record<string, lunr.Vector>;
  const fields: unknown = Reflect.get(builder, "fieldTermFrequencies");
  for (const name of Object.keys(fields ?? {})) {
    vectors[name] = empty;
    await pause();
  }
  return vectors;
}
