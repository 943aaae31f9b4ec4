/** What `npm run bench` is asked for, and the arithmetic of comparing two states of the repository. */
import { parseArgs } from "node:util";

/** Rounds of `--against` unless `--rounds` says otherwise; a round has two pairs of runs. */
export const DEFAULT_ROUNDS = 5;

const MIN_CLEAR_PAIRS = 6;

/** What the command line asks for: some benches, or a comparison with another state. */
export type BenchRequest =
  | { readonly kind: "benches"; readonly names: readonly string[] }
  | {
      readonly kind: "against";
      /** Branch, tag or commit of the other state, not yet looked up. */
      readonly ref: string;
      readonly names: readonly string[];
      readonly rounds: number;
    };

/** What one run took. */
export interface Run {
  /** User and system time, in ms. */
  readonly cpuMs: number;
  /** Wall time, in ms. */
  readonly ms: number;
}

/** Two runs that followed each other: the other state and this one. */
export interface Pair {
  readonly before: Run;
  readonly now: Run;
}

/** How many times as much as before is taken now. */
export interface Ratio {
  /** The median of the pairs. */
  readonly times: number;
  /** The lowest of the pairs. */
  readonly low: number;
  /** The highest of the pairs. */
  readonly high: number;
  /** True when six pairs or more all say the same: more, or less. By chance six do in one of 32 cases. */
  readonly isClear: boolean;
}

/**
 * Reads the arguments of `npm run bench`; without names all benches, or all comparisons, are meant.
 * @throws {Error} with the fix when an option, a name or the number of rounds is not known.
 */
export function parseBenchArguments(
  args: readonly string[],
  benches: readonly string[],
  comparisons: readonly string[],
): BenchRequest {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { against: { type: "string" }, rounds: { type: "string" } },
  });
  if (values.against === undefined) {
    if (values.rounds !== undefined) {
      throw new Error(
        "--rounds is an option of --against: add --against <ref>, or set BENCH_ROUNDS for a bench",
      );
    }
    return { kind: "benches", names: namesOf("bench", positionals, benches) };
  }
  return {
    kind: "against",
    ref: values.against,
    names: namesOf("comparison", positionals, comparisons),
    rounds: roundsOf(values.rounds),
  };
}

function namesOf(kind: string, names: readonly string[], all: readonly string[]): string[] {
  const unknown = names.find((name) => !all.includes(name));
  if (unknown !== undefined) {
    throw new Error(`no ${kind} is named ${JSON.stringify(unknown)}; there are ${all.join(", ")}`);
  }
  return names.length > 0 ? [...names] : [...all];
}

function roundsOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_ROUNDS;
  const rounds = Number(text);
  if (!/^\d+$/.test(text) || rounds < 1 || rounds > 100) {
    throw new Error(`--rounds ${JSON.stringify(text)} is not a whole number from 1 to 100`);
  }
  return rounds;
}

/**
 * Runs both states `rounds` times in the order before, now, now, before. A machine that slows down or warms up
 * meanwhile then changes both alike.
 * @throws what a run throws.
 */
export async function runPairs(
  rounds: number,
  before: () => Promise<Run>,
  now: () => Promise<Run>,
): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const first = await before();
    pairs.push({ before: first, now: await now() });
    const second = await now();
    pairs.push({ before: await before(), now: second });
  }
  return pairs;
}

/**
 * The median and the spread of now divided by before. Exchanging the states gives the inverse.
 * @throws {RangeError} without pairs, and when a run took no time that can be measured.
 */
export function ratioOf(pairs: readonly Pair[], of: (run: Run) => number): Ratio {
  if (pairs.length === 0) throw new RangeError("a ratio needs at least one pair of runs");
  const ratios = pairs.map(({ before, now }) => {
    const [from, to] = [of(before), of(now)];
    if (!(from > 0 && to > 0)) {
      throw new RangeError(`runs of ${from} and ${to} ms are too short for a ratio`);
    }
    return to / from;
  });
  const sorted = ratios.toSorted((a, b) => a - b);
  const [low, high] = [sorted[0] ?? 1, sorted.at(-1) ?? 1];
  const isClear = pairs.length >= MIN_CLEAR_PAIRS && (low > 1 || high < 1);
  return { times: medianOf(sorted), low, high, isClear };
}

/** The median; of an even number the geometric mean of the middle two, as suits ratios. @throws {RangeError} for none. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  const upper = sorted[Math.floor(sorted.length / 2)];
  if (lower === undefined || upper === undefined) throw new RangeError("no values have no median");
  return lower === upper ? lower : Math.sqrt(lower * upper);
}
