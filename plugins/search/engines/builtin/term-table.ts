import { foldWord, isTerm } from "../../terms.js";

const longestTerm = 64;
const seed = 0x811c9dc5 | 0;
const prime = 0x01000193;
const encoder = new TextEncoder();

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
  /** Number and hash of a term, one after the other: both are wanted at once. */
  #slots: Int32Array;
  #offsets: Uint32Array;
  #pool: Uint16Array;
  #used = 0;
  #poolUsed = 0;
  readonly #spellings = new Map<string, number>();
  readonly #word = new Uint16Array(longestTerm);
  #bytes = new Uint8Array(1024);
  #length = 0;
  #hash = 0;

  constructor(expected: number) {
    const size = 1 << Math.ceil(Math.log2(Math.max(64, expected * 2)));
    this.#slots = new Int32Array(size * 2).fill(-1);
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
    const { length } = text;
    if (this.#bytes.length <= length) this.#bytes = new Uint8Array(length * 2);
    // What is not ASCII takes more bytes than characters.
    if (encoder.encodeInto(text, this.#bytes).written === length) this.#scanAscii(text, visit);
    else this.#scanAny(text, visit);
  }

  /** Bytes are looked at in half the time of characters, each of them once. */
  #scanAscii(text: string, visit: (id: number) => void): void {
    const { length } = text;
    const bytes = this.#bytes;
    // Spaces end words: the last one too.
    bytes[length] = 0x20;
    for (let at = 0; at < length; at++) {
      const start = at;
      while (kindAt(bytes, at) === 1) at += 1;
      at = this.#fold(bytes, at);
      const id =
        this.#length < 0 ? this.#foldedWord(text.slice(start, at)) : this.#plainWord(this.#length);
      if (id >= 0) visit(id);
    }
  }

  /**
   * Folds the word at `first` and returns where it ends; its length, up to the last letter or digit,
   * and its hash are noted, and a length of -1 where it is none that can be folded here.
   */
  #fold(bytes: Uint8Array, first: number): number {
    const word = this.#word;
    let at = first;
    let isPlain = true;
    let hash = seed;
    let end = 0;
    let endHash = seed;
    for (let kind = kindAt(bytes, at); kind !== 0; kind = kindAt(bytes, at)) {
      const folded = kind === 1 ? (bytes[at] ?? 0) : kind;
      const size = at - first;
      if (size < longestTerm) {
        word[size] = folded;
        hash = Math.imul(hash ^ folded, prime);
      }
      at += 1;
      if (kind === 2) isPlain = false;
      if (kind === 1) continue;
      end = size + 1;
      endHash = hash;
    }
    this.#length = isPlain ? end : -1;
    this.#hash = endHash;
    return at;
  }

  #plainWord(length: number): number {
    return length < 2 ? -1 : this.#intern(Math.min(length, longestTerm), this.#hash);
  }

  #scanAny(text: string, visit: (id: number) => void): void {
    const { length } = text;
    for (let at = 0; at < length; at++) {
      const start = at;
      while (at < length && !isSpace(text.charCodeAt(at))) at++;
      const id = at === start ? -1 : this.#foldedWord(text.slice(start, at));
      if (id >= 0) visit(id);
    }
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
      id = this.#intern(folded.length, hash);
    }
    // A copy: a slice would keep the whole text alive.
    if (raw.length <= longestTerm)
      this.#spellings.set(Buffer.from(raw, "utf16le").toString("utf16le"), id);
    return id;
  }

  #intern(length: number, hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = slotOf(hash, mask);
    for (;;) {
      const id = slots[slot] ?? -1;
      if (id < 0) break;
      if (slots[slot + 1] === hash && this.#equals(id, length)) return id;
      slot = (slot + 2) & mask;
    }
    return this.#add(slot, length, hash);
  }

  #equals(id: number, length: number): boolean {
    const [offsets, pool, word] = [this.#offsets, this.#pool, this.#word];
    const offset = offsets[id] ?? 0;
    if ((offsets[id + 1] ?? 0) - offset !== length) return false;
    for (let at = 0; at < length; at++) if (pool[offset + at] !== word[at]) return false;
    return true;
  }

  #add(slot: number, length: number, hash: number): number {
    const id = this.#used++;
    if (this.#poolUsed + length > this.#pool.length) this.#pool = grown(this.#pool);
    this.#pool.set(this.#word.subarray(0, length), this.#poolUsed);
    this.#poolUsed += length;
    this.#offsets[id + 1] = this.#poolUsed;
    this.#slots[slot] = id;
    this.#slots[slot + 1] = hash;
    // At most half of the pairs are taken.
    if (this.#used * 4 >= this.#slots.length) this.#widen();
    return id;
  }

  #widen(): void {
    const old = this.#slots;
    const slots = new Int32Array(old.length * 2).fill(-1);
    const mask = slots.length - 1;
    for (let from = 0; from < old.length; from += 2) {
      const [id, hash] = [old[from] ?? -1, old[from + 1] ?? 0];
      if (id < 0) continue;
      let slot = slotOf(hash, mask);
      while ((slots[slot] ?? -1) >= 0) slot = (slot + 2) & mask;
      slots[slot] = id;
      slots[slot + 1] = hash;
    }
    this.#slots = slots;
    this.#offsets = grown32(this.#offsets, (slots.length >> 2) + 1);
  }
}

// The low bits of this hash are its weakest; the high ones join in.
function slotOf(hash: number, mask: number): number {
  return ((hash ^ (hash >>> 15)) << 1) & mask;
}

function kindAt(bytes: Uint8Array, at: number): number {
  return classes[bytes[at] ?? 0] ?? 0;
}

function isSpace(code: number): boolean {
  return code < 128 ? classes[code] === 0 : isWideSpace(code);
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
