/** Matches of a query term in the files of an export. */
import type { TermMatch } from "../contract.js";
import type { LateDocument, TermFile } from "./format.js";

/** The matches of a query term in a document, summed over all words that start with it. */
interface Match {
  title: boolean;
  values: Set<number>;
  body: number;
  fields: Set<number>;
}
/** The matches of a term by number of the document. */
export type Matches = Map<number, Match>;

/** Adds the matches that a file has for words with this prefix. */
export function addFile(matches: Matches, file: TermFile, prefix: string): void {
  for (const [term, body, title, values, fields] of file.terms) {
    if (!term.startsWith(prefix)) continue;
    eachPair(body, (id, times) => void (findOrAddMatch(matches, id).body += times));
    eachStep(title, (id) => void (findOrAddMatch(matches, id).title = true));
    eachPair(values, (id, value) => void findOrAddMatch(matches, id).values.add(value));
    for (const [field, ids] of fields) {
      eachStep(ids, (id) => void findOrAddMatch(matches, id).fields.add(field));
    }
  }
}

/** Adds the matches in a late document. */
export function addLate(matches: Matches, { id, terms }: LateDocument, prefix: string): void {
  for (const [term, body, title, values, fields] of terms) {
    if (!term.startsWith(prefix)) continue;
    const match = findOrAddMatch(matches, id);
    match.body += body;
    match.title ||= title === 1;
    addAll(match.values, values);
    addAll(match.fields, fields);
  }
}

function findOrAddMatch(matches: Matches, id: number): Match {
  let match = matches.get(id);
  if (match === undefined) {
    match = { title: false, values: new Set(), body: 0, fields: new Set() };
    matches.set(id, match);
  }
  return match;
}

/** Converts a match to the input of the score. */
export function toMatch(match: Match | undefined, names: readonly string[]): TermMatch | null {
  if (match === undefined) return null;
  const { title, values, body, fields } = match;
  return { title, taxonomy: values.size, body, fields: [...fields].map((at) => names[at] ?? "") };
}

/** Adds each value. */
export function addAll<T>(to: Set<T>, values: Iterable<T>): void {
  for (const value of values) to.add(value);
}

function eachStep(steps: readonly number[], visit: (id: number) => void): void {
  let id = 0;
  for (const step of steps) visit((id += step));
}

function eachPair(steps: readonly number[], visit: (id: number, value: number) => void): void {
  let id = 0;
  for (let at = 0; at + 1 < steps.length; at += 2) {
    id += steps[at] ?? 0;
    visit(id, steps[at + 1] ?? 0);
  }
}
