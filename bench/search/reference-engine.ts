import type { CorpusPage } from "../support/corpus.js";

/** A match. */
export interface ReferenceHit {
  readonly page: number;
  readonly score: number;
}
const pattern = /[\p{L}\p{N}][\p{L}\p{N}'-]*/gu;
const words = (text: string): string[] =>
  (text.toLowerCase().match(pattern) ?? []).filter((word) => word.length > 1);

/**
 * The reference: the simplest inverted index over typed arrays with the exact score, independent of
 * the engines. Sorted terms, one posting per page and term with its counts, sums in one array.
 */
export class ReferenceIndex {
  #terms: string[] = [];
  #starts = new Uint32Array(0);
  #pages = new Uint32Array(0);
  /** Body occurrences up to 5, title 8, the first tag 16, the second 32. */
  #counts = new Uint8Array(0);
  #sums = new Float64Array(0);
  #matched = new Uint8Array(0);
  #seen = new Uint8Array(0);
  #titles: string[] = [];
  #dates: string[] = [];
  readonly #touched: number[] = [];

  build(corpus: readonly CorpusPage[]): void {
    const lists = new Map<string, number[]>();
    corpus.forEach(({ title, body, tags }, page) => {
      const counts = new Map<string, number>();
      for (const word of words(body)) {
        const count = counts.get(word) ?? 0;
        if (count < 5) counts.set(word, count + 1);
      }
      for (const word of new Set(words(title))) counts.set(word, (counts.get(word) ?? 0) | 8);
      tags.forEach((tag, at) => {
        for (const word of words(tag)) counts.set(word, (counts.get(word) ?? 0) | (16 << at));
      });
      for (const [word, count] of counts) {
        const list = lists.get(word);
        if (list) list.push(page, count);
        else lists.set(word, [page, count]);
      }
      this.#titles.push(words(title).join(" "));
      this.#dates.push(corpus[page]?.date ?? "");
    });
    this.#terms = [...lists.keys()].sort();
    this.#starts = new Uint32Array(this.#terms.length + 1);
    let total = 0;
    this.#terms.forEach(
      (term, at) => (this.#starts[at + 1] = total += (lists.get(term)?.length ?? 0) / 2),
    );
    this.#pages = new Uint32Array(total);
    this.#counts = new Uint8Array(total);
    let at = 0;
    for (const term of this.#terms) {
      const list = lists.get(term) ?? [];
      for (let place = 0; place < list.length; place += 2, at++) {
        this.#pages[at] = list[place] ?? 0;
        this.#counts[at] = list[place + 1] ?? 0;
      }
    }
    this.#sums = new Float64Array(corpus.length);
    this.#matched = new Uint8Array(corpus.length);
    this.#seen = new Uint8Array(corpus.length);
  }

  search(
    query: string,
    limit: number,
  ): { total: number; hits: ReferenceHit[]; pages: readonly number[] } {
    const terms = [...new Set(words(query))];
    this.#touched.length = 0;
    for (const term of terms) this.#add(term);
    const whole = words(query).join(" ");
    const pages = [...this.#touched];
    const hits = pages.map((page) => {
      const sum = (this.#sums[page] ?? 0) + (this.#titles[page] === whole ? 5 : 0);
      const all = terms.length > 1 && this.#matched[page] === terms.length;
      this.#sums[page] = 0;
      this.#matched[page] = 0;
      return { page, score: all ? sum * 1.5 : sum };
    });
    return { total: hits.length, hits: this.#best(hits, limit), pages };
  }

  #add(term: string): void {
    let [low, high] = [0, this.#terms.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#terms[middle] ?? "") < term) low = middle + 1;
      else high = middle;
    }
    const [seen, pages, sums, matched] = [this.#seen, this.#pages, this.#sums, this.#matched];
    const met: number[] = [];
    for (; this.#terms[low]?.startsWith(term); low++) {
      const end = this.#starts[low + 1] as number;
      for (let at = this.#starts[low] as number; at < end; at++) {
        const page = pages[at] as number;
        const [old, count] = [seen[page] as number, this.#counts[at] as number];
        if (old === 0) met.push(page);
        seen[page] = Math.min(5, (old & 7) + (count & 7)) | ((old | count) & 56) | 64;
      }
    }
    for (const page of met) {
      const count = seen[page] as number;
      if (matched[page] === 0) this.#touched.push(page);
      matched[page] = (matched[page] as number) + 1;
      sums[page] =
        (sums[page] as number) +
        (count & 7) +
        (count & 8 ? 3 : 0) +
        (count & 16 ? 2 : 0) +
        (count & 32 ? 2 : 0);
      seen[page] = 0;
    }
  }

  #best(hits: ReferenceHit[], limit: number): ReferenceHit[] {
    const best: ReferenceHit[] = [];
    const before = (a: ReferenceHit, b: ReferenceHit): boolean =>
      a.score !== b.score
        ? a.score > b.score
        : (this.#dates[a.page] ?? "") > (this.#dates[b.page] ?? "");
    for (const hit of hits) {
      const worst = best[limit - 1];
      if (worst && !before(hit, worst)) continue;
      let at = best.length;
      while (at > 0 && before(hit, best[at - 1] as ReferenceHit)) at -= 1;
      best.splice(at, 0, hit);
      if (best.length > limit) best.pop();
    }
    return best;
  }
}
