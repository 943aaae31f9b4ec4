import type { Sliced } from "#lib/concurrency";
import { foldWord, isTerm, MAX_TERM_LENGTH } from "../../query/terms.js";

/** Initial capacity in terms: it grows with the first documents. */
const FIRST_TERMS = 512;
const seed = 0x811c9dc5 | 0;
const PRIME = 0x01000193;

const SPACE = 0;
const PUNCTUATION = 1;
const UNUSUAL = 2;
// Class per UTF-16 unit: `space` separates words, `punctuation` (ASCII) is trimmed from words,
// `unusual` (control characters, non-ASCII) needs `foldWord`; otherwise the lower-case letter or
// digit.
const kinds = new Uint8Array(0x1_0000).fill(UNUSUAL);
for (let code = 33; code < 127; code++) {
  const character = String.fromCharCode(code);
  kinds[code] = /[a-z0-9]/iu.test(character) ? character.toLowerCase().charCodeAt(0) : PUNCTUATION;
}
const spaces =
  "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff";
for (const character of spaces) kinds[character.charCodeAt(0)] = SPACE;

/**
 * Maps terms to numbers without a string per word: an open-addressing table over one pool of
 * characters. ASCII words are folded in a copy of the text; others use `foldWord`, once per
 * spelling.
 */
export class TermTable {
  /** Alternating number and hash of a term, because both are read together. */
  #slots = new Int32Array(FIRST_TERMS * 4).fill(-1);
  #offsets = new Uint32Array(FIRST_TERMS + 1);
  #pool = new Uint16Array(FIRST_TERMS * 8);
  #used = 0;
  readonly #spellings = new Map<string, number>();
  readonly #word = new Uint16Array(MAX_TERM_LENGTH);
  /** The current text followed by a space, and the numbers of its terms. */
  #text = new Uint16Array(0);
  #bytes = Buffer.from(this.#text.buffer);
  #found = new Uint32Array(0);

  /** Number of terms. */
  get size(): number {
    return this.#used;
  }

  /** The term of a number. */
  term(id: number): string {
    const codes = this.#pool.subarray(this.#offsets[id], this.#offsets[id + 1]);
    // Not spread: an iterator over a typed array takes ten times as long.
    const term: string = Reflect.apply(String.fromCharCode, null, codes);
    return term;
  }

  /** The numbers of all terms, sorted by UTF-16 unit. */
  sorted(): Sliced<Uint32Array> {
    return orderTexts({ pool: this.#pool, offsets: this.#offsets, count: this.#used });
  }

  /** The numbers of the terms of a text, in order; valid until the next call. */
  scan(text: string): Uint32Array {
    this.#read(text);
    const [codes, found] = [this.#text, this.#found];
    let count = 0;
    for (let at = 0; at < text.length; at++) {
      while (kinds[codes[at] as number] === PUNCTUATION) at += 1;
      const start = at;
      let end = at;
      let isUsual = true;
      for (
        let kind = kinds[codes[at] as number] as number;
        kind !== SPACE;
        kind = kinds[codes[++at] as number] as number
      ) {
        if (kind === PUNCTUATION) continue;
        if (kind === UNUSUAL) isUsual = false;
        else codes[at] = kind;
        end = at + 1;
      }
      if (end - start < 2 && isUsual) continue;
      const id = isUsual
        ? this.#intern(codes, start, Math.min(end, start + MAX_TERM_LENGTH))
        : this.#foldedWord(text.slice(start, at));
      if (id >= 0) found[count++] = id;
    }
    return found.subarray(0, count);
  }

  /** Copies a text into the scan buffer. */
  #read(text: string): void {
    if (this.#text.length <= text.length) {
      this.#text = new Uint16Array(text.length * 2 + 64);
      this.#bytes = Buffer.from(this.#text.buffer);
      this.#found = new Uint32Array(text.length + 32);
    }
    this.#bytes.write(text, "utf16le");
    this.#text[text.length] = 0x20;
  }

  #foldedWord(raw: string): number {
    const cached = this.#spellings.get(raw);
    if (cached !== undefined) return cached;
    const folded = foldWord(raw);
    let id = -1;
    if (isTerm(folded)) {
      for (let at = 0; at < folded.length; at++) this.#word[at] = folded.charCodeAt(at);
      id = this.#intern(this.#word, 0, folded.length);
    }
    // A copy: a slice would keep the whole text alive.
    if (raw.length <= MAX_TERM_LENGTH)
      this.#spellings.set(Buffer.from(raw, "utf16le").toString("utf16le"), id);
    return id;
  }

  /** The number of the term at `codes[start]` to `codes[end - 1]`. */
  #intern(codes: Uint16Array, start: number, end: number): number {
    let hash = seed;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ (codes[at] as number), PRIME);
    const [slots, offsets, pool] = [this.#slots, this.#offsets, this.#pool];
    const mask = slots.length - 1;
    let slot = toSlot(hash, mask);
    for (;;) {
      const id = slots[slot] as number;
      if (id < 0) break;
      if (slots[slot + 1] === hash) {
        let from = offsets[id] as number;
        let at = start;
        if ((offsets[id + 1] as number) - from === end - start)
          while (at < end && pool[from] === codes[at]) {
            at += 1;
            from += 1;
          }
        if (at === end) return id;
      }
      slot = (slot + 2) & mask;
    }
    slots[slot] = this.#used;
    slots[slot + 1] = hash;
    return this.#add(codes, start, end);
  }

  #add(codes: Uint16Array, start: number, end: number): number {
    const id = this.#used++;
    let to = this.#offsets[id] as number;
    if (to + MAX_TERM_LENGTH > this.#pool.length) this.#pool = grown(this.#pool);
    for (let at = start; at < end; at++) this.#pool[to++] = codes[at] as number;
    this.#offsets[id + 1] = to;
    // Keep the load factor at one half or less.
    if (this.#used * 4 >= this.#slots.length) this.#widen();
    return id;
  }

  #widen(): void {
    const old = this.#slots;
    const slots = new Int32Array(old.length * 2).fill(-1);
    const mask = slots.length - 1;
    for (let from = 0; from < old.length; from += 2) {
      const [id, hash] = [old[from] as number, old[from + 1] as number];
      if (id < 0) continue;
      let slot = toSlot(hash, mask);
      while ((slots[slot] as number) >= 0) slot = (slot + 2) & mask;
      slots[slot] = id;
      slots[slot + 1] = hash;
    }
    this.#slots = slots;
    const offsets = new Uint32Array((slots.length >> 2) + 1);
    offsets.set(this.#offsets);
    this.#offsets = offsets;
  }
}

// The low bits of this hash are its weakest, so mix in the high ones.
function toSlot(hash: number, mask: number): number {
  return ((hash ^ (hash >>> 15)) << 1) & mask;
}

function grown(pool: Uint16Array): Uint16Array<ArrayBuffer> {
  const next = new Uint16Array(pool.length * 2);
  next.set(pool);
  return next;
}

/**
 * Concatenated texts of UTF-16 units: text `i` is `pool[offsets[i]]` to `pool[offsets[i + 1] - 1]`.
 */
interface Texts {
  readonly pool: Uint16Array;
  readonly offsets: Uint32Array;
  readonly count: number;
}

const stepLength = 1 << 15;

/**
 * Sorts text numbers with a multikey quicksort (Bentley and Sedgewick), which does not compare
 * common prefixes twice.
 */
export function* orderTexts({ pool, offsets, count }: Texts): Sliced<Uint32Array> {
  const order = new Uint32Array(count);
  for (let at = 0; at < count; at++) order[at] = at;
  /** -1 at the end, so that a prefix sorts before longer texts. */
  const readUnit = (text: number, depth: number): number => {
    const at = (offsets[text] as number) + depth;
    return at < (offsets[text + 1] as number) ? (pool[at] as number) : -1;
  };
  /** Ranges still to sort: their bounds, and the length of the common prefix. */
  const ranges = [0, count, 0];
  let work = 0;
  while (ranges.length > 0) {
    const depth = ranges.pop() as number;
    const to = ranges.pop() as number;
    const from = ranges.pop() as number;
    if (to - from < 2) continue;
    const pivot = readUnit(order[(from + to) >>> 1] as number, depth);
    let [less, more] = [from, to];
    for (let at = from; at < more;) {
      const text = order[at] as number;
      const unit = readUnit(text, depth);
      if (unit === pivot) at += 1;
      else if (unit < pivot) {
        order[at++] = order[less] as number;
        order[less++] = text;
      } else {
        order[at] = order[--more] as number;
        order[more] = text;
      }
    }
    ranges.push(from, less, depth, more, to, depth);
    if (pivot >= 0) ranges.push(less, more, depth + 1);
    if ((work += to - from) < stepLength) continue;
    work = 0;
    yield;
  }
  return order;
}
