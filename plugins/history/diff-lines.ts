/** The difference of two texts, line by line (Myers 1986, greedy). */
import type { DiffLine } from "./contract.js";

// Texts that differ in more lines than this are shown as removed and added as a whole.
const mostEdits = 2_000;
// The time grows with edits times lines, where lines repeat.
const mostSteps = 20_000_000;

/** A shortest way from one text to the other. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  const most = Math.min(old.length, now.length) - start;
  while (end < most && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  const middle = shortestEdit(
    old.slice(start, old.length - end),
    now.slice(start, now.length - end),
  );
  const kinds: DiffLine["kind"][] = [
    ...Array<"same">(start).fill("same"),
    ...middle,
    ...Array<"same">(end).fill("same"),
  ];
  return numbered(kinds, old, now);
}

function linesOf(text: string): string[] {
  if (text === "") return [];
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

function numbered(
  kinds: readonly DiffLine["kind"][],
  old: readonly string[],
  now: readonly string[],
): DiffLine[] {
  let [oldAt, newAt] = [0, 0];
  return kinds.map((kind) => {
    if (kind === "removed") {
      oldAt += 1;
      return { kind, text: old[oldAt - 1] ?? "", oldLine: oldAt, newLine: null };
    }
    newAt += 1;
    if (kind === "same") oldAt += 1;
    return {
      kind,
      text: now[newAt - 1] ?? "",
      oldLine: kind === "same" ? oldAt : null,
      newLine: newAt,
    };
  });
}

/** How far each diagonal is followed, by its number plus `zero`. */
interface Reach {
  readonly ends: Int32Array;
  readonly zero: number;
}

function shortestEdit(old: readonly string[], now: readonly string[]): DiffLine["kind"][] {
  const lines = old.length + now.length;
  const limit = Math.min(lines, mostEdits, Math.floor(mostSteps / lines));
  const reach = { ends: new Int32Array(2 * limit + 3), zero: limit + 1 };
  const trace: Reach[] = [];
  for (let edits = 0; edits <= limit; edits += 1) {
    trace.push(near(reach, edits));
    for (let k = -edits; k <= edits; k += 2) {
      const x = furthest({ old, now, reach, k, edits });
      reach.ends[reach.zero + k] = x;
      if (x >= old.length && x - k >= now.length) return backtrack(trace, old.length, now.length);
    }
  }
  return [...old.map(() => "removed" as const), ...now.map(() => "added" as const)];
}

/** A copy of the diagonals that this many edits look at. */
function near({ ends, zero }: Reach, edits: number): Reach {
  return { ends: ends.slice(zero - edits - 1, zero + edits + 2), zero: edits + 1 };
}

interface Step {
  old: readonly string[];
  now: readonly string[];
  reach: Reach;
  k: number;
  edits: number;
}

function furthest({ old, now, reach, k, edits }: Step): number {
  let x = isDown(reach, k, edits) ? at(reach, k + 1) : at(reach, k - 1) + 1;
  while (x < old.length && x - k < now.length && old[x] === now[x - k]) x += 1;
  return x;
}

function isDown(reach: Reach, k: number, edits: number): boolean {
  return k === -edits || (k !== edits && at(reach, k - 1) < at(reach, k + 1));
}

function backtrack(trace: readonly Reach[], length: number, to: number): DiffLine["kind"][] {
  const kinds: DiffLine["kind"][] = [];
  let [x, y] = [length, to];
  for (const [edits, reach] of [...trace.entries()].reverse()) {
    const k = x - y;
    const before = isDown(reach, k, edits) ? k + 1 : k - 1;
    const fromX = edits === 0 ? 0 : at(reach, before);
    const fromY = edits === 0 ? 0 : fromX - before;
    while (x > fromX && y > fromY) {
      kinds.push("same");
      x -= 1;
      y -= 1;
    }
    if (edits > 0) kinds.push(x === fromX ? "added" : "removed");
    [x, y] = [fromX, fromY];
  }
  return kinds.reverse();
}

function at({ ends, zero }: Reach, k: number): number {
  return ends[zero + k] ?? 0;
}
