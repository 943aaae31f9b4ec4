import { tokenize } from "../query/terms.js";

/** The file of synonyms and stop words, for one language or for all. */
export interface SynonymLists {
  /** Words that mean the same. */
  readonly groups: readonly (readonly string[])[];
  /** A word to what is found in its place as well. */
  readonly one_way: Readonly<Record<string, readonly string[]>>;
  /** Words without meaning, for which nothing similar is looked up. */
  readonly stop: readonly string[];
}

/** Synonyms and stop words, folded like terms. */
export class Synonyms {
  readonly #of = new Map<string, string[][]>();
  readonly #stop = new Set<string>();

  constructor(lists: readonly SynonymLists[]) {
    for (const { groups, one_way: oneWay, stop } of lists) {
      for (const group of groups) this.#addGroup(group);
      for (const [word, others] of Object.entries(oneWay)) {
        for (const other of others) this.#add(word, other);
      }
      for (const word of stop) for (const term of tokenize(word)) this.#stop.add(term);
    }
  }

  /** The synonyms of a term; one of several words is a list of terms. */
  of(term: string): readonly (readonly string[])[] {
    return this.#of.get(term) ?? [];
  }

  isStop(term: string): boolean {
    return this.#stop.has(term);
  }

  #addGroup(group: readonly string[]): void {
    for (const word of group) for (const other of group) if (word !== other) this.#add(word, other);
  }

  /** Only single words are looked up; what they lead to may have several. */
  #add(word: string, other: string): void {
    const [term, ...more] = tokenize(word);
    const words = tokenize(other);
    if (term === undefined || more.length > 0 || words.length === 0) return;
    const known = this.#of.get(term) ?? [];
    if (!known.some((one) => one.join(" ") === words.join(" "))) known.push(words);
    this.#of.set(term, known);
  }
}
