/**
 * Maps the start of each run of backticks that opens a code span to the start of the closing run
 * (the next one of the same length), in one pass.
 */
export function codeSpanEnds(source: string): ReadonlyMap<number, number> {
  if (!source.includes("`")) return new Map();
  const runs = [...source.matchAll(/`+/g)].map((match) => ({
    start: match.index,
    length: match[0].length,
  }));
  const nextOfLength = nextRuns(runs);
  const ends = new Map<number, number>();
  for (let index = 0; index < runs.length;) {
    const close = nextOfLength[index];
    const run = runs[index];
    const end = close === undefined ? undefined : runs[close];
    if (run === undefined || end === undefined || close === undefined) {
      index += 1;
      continue;
    }
    ends.set(run.start, end.start);
    index = close + 1;
  }
  return ends;
}

function nextRuns(runs: readonly { length: number }[]): (number | undefined)[] {
  const latest = new Map<number, number>();
  const next: (number | undefined)[] = [];
  for (let index = runs.length - 1; index >= 0; index -= 1) {
    const length = runs[index]?.length ?? 0;
    next[index] = latest.get(length);
    latest.set(length, index);
  }
  return next;
}
