import { foldWord, isTerm } from "../../terms.js";

const longestTerm = 64;
const seed = 0x811c9dc5;
const prime = 0x01000193;

// Per ASCII code: 0 separates words, 1 ends them (punctuation), 2 sends the word to the slow path
// (control characters), else the lower-case letter or digit.
const classes = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code);
  if (/\s/u.test(character)) classes[code] = 0;
  else if (code < 32 || code === 127) classes[code] = 2;
  else classes[code] = /[a-z0-9]/iu.test(character) ? character.toLowerCase().charCodeAt(0) : 1;
}

/**
 * Terms to numbers, without making a string per word of the text: an open-addressing table over
 * one pool of characters. ASCII words are folded while they are hashed; others go through
 * `foldWord`, once per spelling.
 */
export class TermTable {
  #slots: Int32Array;
  #hashes: Uint32Array;
  #offsets: Uint32Array;
  #pool: Uint16Array;
  #used = 0;
  #poolUsed = 0;
  readonly #spellings = new Map<string, number>();
  readonly #word = new Uint16Array(longestTerm);

  constructor(expected: number) {
    const size = 1 << Math.ceil(Math.log2(Math.max(64, expected * 2)));
    this.#slots = new Int32Array(size).fill(-1);
    this.#hashes = new Uint32Array(size >> 1);
    this.#offsets = new Uint32Array((size >> 1) + 1);
    this.#pool = new Uint16Array(size * 4);
  }

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

  /** Calls `visit` with the number of each term of the text, in order. */
  scan(text: string, visit: (id: number) => void): void {
    const length = text.length;
    let at = 0;
    while (at < length) {
      const start = at;
      let plain = true;
      let code = 0;
      for (; at < length; at++) {
        code = text.charCodeAt(at);
        if (code < 128) {
          const kind = classes[code];
          if (kind === 0) break;
          if (kind === 2) plain = false;
        } else {
          if (isWideSpace(code)) break;
          plain = false;
        }
      }
      if (at > start) {
        const id = plain
          ? this.#plainWord(text, start, at)
          : this.#foldedWord(text.slice(start, at));
        if (id >= 0) visit(id);
      }
      at += 1;
    }
  }

  #plainWord(text: string, from: number, to: number): number {
    let start = from;
    let end = to;
    while (start < end && classes[text.charCodeAt(start)] === 1) start += 1;
    while (end > start && classes[text.charCodeAt(end - 1)] === 1) end -= 1;
    if (end - start < 2) return -1;
    end = Math.min(end, start + longestTerm);
    const word = this.#word;
    let hash = seed;
    for (let at = start; at < end; at++) {
      const code = text.charCodeAt(at);
      const kind = classes[code] ?? 1;
      const folded = kind === 1 ? code : kind;
      word[at - start] = folded;
      hash = Math.imul(hash ^ folded, prime);
    }
    return this.#intern(end - start, hash >>> 0);
  }

  #foldedWord(raw: string): number {
    const known = this.#spellings.get(raw);
    if (known !== undefined) return known;
    const folded = foldWord(raw);
    let id = -1;
    if (isTerm(folded)) {
      let hash = seed;
      for (let at = 0; at < folded.length; at++) {
        const code = folded.charCodeAt(at);
        this.#word[at] = code;
        hash = Math.imul(hash ^ code, prime);
      }
      id = this.#intern(folded.length, hash >>> 0);
    }
    // A copy: a slice would keep the whole text alive.
    if (raw.length <= longestTerm)
      this.#spellings.set(Buffer.from(raw, "utf16le").toString("utf16le"), id);
    return id;
  }

  #intern(length: number, hash: number): number {
    const mask = this.#slots.length - 1;
    // The low bits of this hash are its weakest; the high ones join in.
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (;;) {
      const id = this.#slots[slot] ?? -1;
      if (id < 0) break;
      if (this.#hashes[id] === hash && this.#equals(id, length)) return id;
      slot = (slot + 1) & mask;
    }
    return this.#add(slot, length, hash);
  }

  #equals(id: number, length: number): boolean {
    const offset = this.#offsets[id] ?? 0;
    if ((this.#offsets[id + 1] ?? 0) - offset !== length) return false;
    for (let at = 0; at < length; at++)
      if (this.#pool[offset + at] !== this.#word[at]) return false;
    return true;
  }

  #add(slot: number, length: number, hash: number): number {
    const id = this.#used++;
    if (this.#poolUsed + length > this.#pool.length) this.#pool = grown(this.#pool);
    this.#pool.set(this.#word.subarray(0, length), this.#poolUsed);
    this.#poolUsed += length;
    this.#hashes[id] = hash;
    this.#offsets[id + 1] = this.#poolUsed;
    this.#slots[slot] = id;
    if (this.#used * 2 >= this.#slots.length) this.#widen();
    return id;
  }

  #widen(): void {
    const size = this.#slots.length * 2;
    this.#slots = new Int32Array(size).fill(-1);
    this.#hashes = grown32(this.#hashes, size >> 1);
    this.#offsets = grown32(this.#offsets, (size >> 1) + 1);
    for (let id = 0; id < this.#used; id++) {
      const hash = this.#hashes[id] ?? 0;
      let slot = (hash ^ (hash >>> 15)) & (size - 1);
      while ((this.#slots[slot] ?? -1) >= 0) slot = (slot + 1) & (size - 1);
      this.#slots[slot] = id;
    }
  }
}

function isWideSpace(code: number): boolean {
  if (code === 0xa0 || code === 0x3000 || code === 0xfeff) return true;
  if (code < 0x1680 || code > 0x205f) return false;
  return (code >= 0x2000 && code <= 0x200a) || wideSpaces.has(code);
}
const wideSpaces: ReadonlySet<number> = new Set([0x1680, 0x2028, 0x2029, 0x202f, 0x205f]);

function grown(pool: Uint16Array): Uint16Array {
  const next = new Uint16Array(pool.length * 2);
  next.set(pool);
  return next;
}

function grown32(old: Uint32Array, length: number): Uint32Array {
  const next = new Uint32Array(length);
  next.set(old);
  return next;
}
