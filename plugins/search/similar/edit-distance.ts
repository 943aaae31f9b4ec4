/** Terms shorter than this have no typos: too many words are one edit away. */
const SHORTEST = 4;
const SHORTEST_FOR_TWO = 7;
/** From this length on, the beginning of a word counts too, because terms match by prefix. */
const SHORTEST_BEGINNING = 5;

/** How many edits a term may be away from a word. */
export function maxEdits(term: string): number {
  if (term.length < SHORTEST) return 0;
  return term.length < SHORTEST_FOR_TWO ? 1 : 2;
}

/**
 * The edits between a term and a word or, for longer terms, its beginning: letters inserted, deleted,
 * replaced, or swapped with their neighbour. Null for more than `most`.
 */
export function editDistance(term: string, word: string, most: number): number | null {
  return new EditDistance(term, most).to(word);
}

/** The distances of many words to one term. */
export class EditDistance {
  readonly #term: string;
  readonly #most: number;
  readonly #isByBeginning: boolean;
  /** Rows of the table of distances: the last but one, the last, and the current one. */
  #rows: readonly [Uint16Array, Uint16Array, Uint16Array];

  constructor(term: string, most: number) {
    const width = term.length + most + 2;
    this.#term = term;
    this.#most = most;
    this.#isByBeginning = term.length >= SHORTEST_BEGINNING;
    this.#rows = [new Uint16Array(width), new Uint16Array(width), new Uint16Array(width)];
  }

  /** As `editDistance`. */
  to(word: string): number | null {
    const [length, most] = [this.#term.length, this.#most];
    if (word.length < length - most) return null;
    if (!this.#isByBeginning && word.length > length + most) return null;
    const width = Math.min(word.length, length + most);
    if (!this.#fill(word, width)) return null;
    const [, last] = this.#rows;
    let distance = most + 1;
    const from = this.#isByBeginning ? Math.max(0, length - most) : word.length;
    for (let at = from; at <= width; at++) distance = Math.min(distance, last[at] as number);
    return distance <= most ? distance : null;
  }

  /** Computes the last row; false when all distances exceed the maximum before. */
  #fill(word: string, width: number): boolean {
    const [, first] = this.#rows;
    for (let at = 0; at <= width; at++) first[at] = at;
    for (let i = 1; i <= this.#term.length; i++) {
      if (this.#fillRow(i, word, width) > this.#most) return false;
      const [before, row, next] = this.#rows;
      this.#rows = [row, next, before];
    }
    return true;
  }

  /** The least distance of a row. Only cells near the diagonal count: others are more edits away. */
  #fillRow(i: number, word: string, width: number): number {
    const [term, most] = [this.#term, this.#most];
    const [before, row, next] = this.#rows;
    const [from, to] = [Math.max(1, i - most), Math.min(width, i + most)];
    const [letter, letterBefore] = [term.charCodeAt(i - 1), i > 1 ? term.charCodeAt(i - 2) : -1];
    next[from - 1] = from === 1 ? i : most + 1;
    let least = next[from - 1] as number;
    for (let j = from; j <= to; j++) {
      const other = word.charCodeAt(j - 1);
      let edits = (row[j - 1] as number) + (letter === other ? 0 : 1);
      edits = Math.min(edits, (next[j - 1] as number) + 1);
      if (j < i + most) edits = Math.min(edits, (row[j] as number) + 1);
      if (j > 1 && other === letterBefore && letter === word.charCodeAt(j - 2))
        edits = Math.min(edits, (before[j - 2] as number) + 1);
      next[j] = edits;
      if (edits < least) least = edits;
    }
    return least;
  }
}
