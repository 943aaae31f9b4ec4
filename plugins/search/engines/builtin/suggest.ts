import type { SuggestScope } from "../../contract.js";
import { isTerm, normalizeText } from "../../query/terms.js";
import {
  hasValue,
  type Column,
  firstWhere,
  POSTING_BITS,
  termRange,
  type Segment,
} from "./segment.js";

type Test = (doc: number) => boolean;
const FARTHEST_TITLES = 1000;

/**
 * Titles, then terms by document frequency, that start with the prefix and that the viewer may
 * find.
 */
export function suggestFrom(
  segments: readonly Segment[],
  wanted: { prefix: string; limit: number },
  scope: SuggestScope,
): string[] {
  const prefix = normalizeText(wanted.prefix);
  if (!isTerm(prefix)) return [];
  const tests = segments.map((segment) => testOf(segment, scope));
  const titles = titlesWith(segments, prefix, tests);
  const found = new Map<string, string>();
  for (const title of [
    ...titles,
    ...(titles.length < wanted.limit ? termsWith(segments, prefix, tests) : []),
  ]) {
    const key = normalizeText(title);
    if (!found.has(key)) found.set(key, title);
    if (found.size === wanted.limit) break;
  }
  return [...found.values()];
}

/** Null when the viewer may find every document of the segment. */
function testOf(segment: Segment, scope: SuggestScope): Test | null {
  const tests: Test[] = [];
  if (segment.deadCount > 0) tests.push((doc) => segment.dead[doc] === 0);
  restrict(tests, segment.columns.get("access"), scope.access);
  if (scope.lang !== null) restrict(tests, segment.columns.get("lang"), [scope.lang, ""]);
  return tests.length === 0 ? null : (doc) => tests.every((test) => test(doc));
}

function restrict(tests: Test[], column: Column | undefined, values: readonly string[]): void {
  if (!column || column.values.every((value) => values.includes(value))) return;
  const allowed = Uint8Array.from(column.values, (value) => (values.includes(value) ? 1 : 0));
  tests.push((doc) => hasValue(column, allowed, doc));
}

function titlesWith(
  segments: readonly Segment[],
  prefix: string,
  tests: readonly (Test | null)[],
): string[] {
  const titles = new Map<string, string>();
  segments.forEach((segment, at) => {
    const key = (place: number): string =>
      normalizeText(segment.titles[segment.titleOrder[place] ?? 0] ?? "");
    const from = firstWhere(0, segment.size, (place) => key(place) >= prefix);
    for (let place = from; place < Math.min(segment.size, from + FARTHEST_TITLES); place++) {
      const title = key(place);
      if (!title.startsWith(prefix)) break;
      const doc = segment.titleOrder[place] ?? 0;
      const found = title.split(" ").some(isTerm) && (tests[at]?.(doc) ?? true);
      if (found && !titles.has(title)) titles.set(title, segment.titles[doc] ?? "");
    }
  });
  return [...titles].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, title]) => title);
}

function termsWith(
  segments: readonly Segment[],
  prefix: string,
  tests: readonly (Test | null)[],
): string[] {
  const frequency = new Map<string, number>();
  segments.forEach((segment, at) => {
    const test = tests[at] ?? null;
    const [from, to] = termRange(segment.terms, prefix);
    for (let term = from; term < to; term++) {
      const count = countDocuments(segment, term, test);
      const name = segment.terms[term] ?? "";
      if (count > 0) frequency.set(name, (frequency.get(name) ?? 0) + count);
    }
  });
  return [...frequency].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([term]) => term);
}

function countDocuments(segment: Segment, term: number, test: Test | null): number {
  const [from, to] = [segment.starts[term] ?? 0, segment.starts[term + 1] ?? 0];
  if (!test) return to - from;
  let count = 0;
  for (let at = from; at < to; at++)
    if (test((segment.postings[at] ?? 0) >>> POSTING_BITS)) count += 1;
  return count;
}
