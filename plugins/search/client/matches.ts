import type { TermMatch } from "../contract.js";
import type { LateDocument, TermFile } from "./format.js";

/** What a query term matches in a document, summed over all words that start with it. */
export interface Match {
  title: boolean;
  values: Set<number>;
  body: number;
  fields: Set<number>;
}
/** By number of the document. */
export type Matches = Map<number, Match>;

/** Adds the matches that a file has for words with this prefix. */
export function addFile(matches: Matches, file: TermFile, prefix: string): void {
  for (const [term, body, title, values, fields] of file.terms) {
    if (!term.startsWith(prefix)) continue;
    eachPair(body, (id, times) => void (matchAt(matches, id).body += times));
    eachStep(title, (id) => void (matchAt(matches, id).title = true));
    eachPair(values, (id, value) => void matchAt(matches, id).values.add(value));
    for (const [field, ids] of fields) {
      eachStep(ids, (id) => void matchAt(matches, id).fields.add(field));
    }
  }
}

/** Adds the matches in a late document. */
export function addLate(matches: Matches, { id, terms }: LateDocument, prefix: string): void {
  for (const [term, body, title, values, fields] of terms) {
    if (!term.startsWith(prefix)) continue;
    const match = matchAt(matches, id);
    match.body += body;
    match.title ||= title === 1;
    addAll(match.values, values);
    addAll(match.fields, fields);
  }
}

function matchAt(matches: Matches, id: number): Match {
  const known = matches.get(id);
  if (known !== undefined) return known;
  const made: Match = { title: false, values: new Set(), body: 0, fields: new Set() };
  matches.set(id, made);
  return made;
}

/** Converts to the input of the score. */
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
