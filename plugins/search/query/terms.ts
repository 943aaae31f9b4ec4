/** Maximum length of a word of the index, in UTF-16 units. */
export const MAX_TERM_LENGTH = 64;
/** Maximum length of a query in UTF-16 units. */
export const MAX_QUERY_LENGTH = 256;
/** Maximum number of terms in a query. */
export const MAX_QUERY_TERMS = 16;

// Accents of Latin, Greek and Cyrillic, vowel points of Arabic and Hebrew. Vowel signs of Indic
// scripts and voicing marks of kana are part of their words and stay.
const accents = new RegExp(
  [
    "[\\u0300-\\u036f\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f",
    "\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7",
    "\\u0610-\\u061a\\u064b-\\u065f\\u0670]",
  ].join(""),
  "gu",
);
const UNFOLDED = /[ßøæœłđðþıς]/gu;
const foldedTo: Readonly<Record<string, string>> = {
  ß: "ss",
  ø: "o",
  æ: "ae",
  œ: "oe",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
  ς: "σ",
};
/** Written for an apostrophe by keyboards and word processors. */
const APOSTROPHES = /[\u2018\u2019\u201b\u02bc\u02bb\u2032\uff07`\u00b4]/gu;
const INVISIBLE = /[\s\p{Cc}\p{Cf}\p{Cs}]/gu;
const LEADING = /^[^\p{L}\p{N}]+/u;
const WORD_CHARACTER = /^[\p{L}\p{N}\p{M}]$/u;
const PLAIN = /^[!-~]*$/;
const WORD_PATTERN = /\S+/gu;

/** Folds one word: lower case, without accents, compatibility forms and surrounding punctuation. */
export function foldWord(raw: string): string {
  if (PLAIN.test(raw)) return cutTerm(stripEnds(raw.toLowerCase()));
  const folded = raw
    .replace(APOSTROPHES, "'")
    .normalize("NFKD")
    .toLowerCase()
    .replace(accents, "")
    .replace(UNFOLDED, (letter) => foldedTo[letter] ?? letter)
    .normalize("NFC")
    .replace(INVISIBLE, "");
  return cutTerm(stripEnds(folded));
}

/** A word without surrounding punctuation. */
export function stripEnds(word: string): string {
  if (isAsciiWord(word.charCodeAt(0)) && isAsciiWord(word.charCodeAt(word.length - 1))) return word;
  const body = word.replace(LEADING, "");
  let end = body.length;
  while (end > 0 && !endsWord(body, end)) end -= 1;
  return end === body.length ? body : body.slice(0, end);
}

// A loop, because a pattern anchored at the end takes quadratic time on long rulers.
function endsWord(text: string, end: number): boolean {
  const code = text.charCodeAt(end - 1);
  if (code < 128) return isAsciiWord(code);
  const low = code >= 0xdc00 && code <= 0xdfff;
  return WORD_CHARACTER.test(low ? text.slice(Math.max(0, end - 2), end) : text.charAt(end - 1));
}

function isAsciiWord(code: number): boolean {
  const lower = code | 32;
  return (code >= 48 && code <= 57) || (lower >= 97 && lower <= 122);
}

function cutTerm(word: string): string {
  if (word.length <= MAX_TERM_LENGTH) return word;
  const cut = word.slice(0, MAX_TERM_LENGTH);
  const last = cut.charCodeAt(MAX_TERM_LENGTH - 1);
  return last >= 0xd800 && last <= 0xdbff ? cut.slice(0, -1) : cut;
}

/** True for a term of the index: at least two characters. */
export function isTerm(word: string): boolean {
  if (word.length !== 2) return word.length > 2;
  const first = word.charCodeAt(0);
  return first < 0xd800 || first > 0xdbff;
}

/** The terms of a text, in order, with repetitions. */
export function tokenize(text: string): string[] {
  const terms: string[] = [];
  for (const word of text.match(WORD_PATTERN) ?? []) {
    const term = foldWord(word);
    if (isTerm(term)) terms.push(term);
  }
  return terms;
}

/** The terms of a query: unique, in order, at most 16 of its first 256 characters. */
export function queryTerms(text: string): string[] {
  return [...new Set(tokenize(text.slice(0, MAX_QUERY_LENGTH)))].slice(0, MAX_QUERY_TERMS);
}

/** Normalizes a text for comparison: folded words with one space between; short words stay. */
export function normalizeText(text: string): string {
  const words: string[] = [];
  for (const word of text.match(WORD_PATTERN) ?? []) {
    const folded = foldWord(word);
    if (folded !== "") words.push(folded);
  }
  return words.join(" ");
}

const SEPARATOR = /[-'\u2010\u2011]/u;
/** Scripts whose words `Intl.Segmenter` finds, and Hangul, whose particles follow a word. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}]/u;
const HANGUL = /\p{Script=Hangul}/u;
const SENTENCE_MARKS = /[、。，！？；：…]+/gu;
const LONG_RUN = new RegExp(`\\S{${MAX_TERM_LENGTH + 1},}`, "gu");

// Created lazily: loading its dictionaries takes 7 ms of each startup.
class Words {
  static #segmenter: Intl.Segmenter | null = null;

  static of(text: string): Intl.Segments {
    this.#segmenter ??= new Intl.Segmenter(undefined, { granularity: "word" });
    return this.#segmenter.segment(text);
  }
}

/**
 * Adds spaces to text in scripts without them: after sentence marks, and between words in runs longer than an
 * indexed word.
 */
export function searchableText(text: string): string {
  if (!UNSPACED.test(text)) return text;
  return text.replace(SENTENCE_MARKS, "$& ").replace(LONG_RUN, (run) => {
    return UNSPACED.test(run) ? inPieces(run) : run;
  });
}

function inPieces(run: string): string {
  const pieces: string[] = [];
  let piece = "";
  for (const { segment } of Words.of(run)) {
    if (piece.length + segment.length > MAX_TERM_LENGTH) {
      pieces.push(piece);
      piece = "";
    }
    piece += segment;
  }
  return [...pieces, piece].join(" ");
}

/** True for a word of the index that may contain another one. */
export function isCompound(word: string): boolean {
  return SEPARATOR.test(word) || UNSPACED.test(word) || HANGUL.test(word);
}

/** True when a word contains a term behind its beginning: as a part, or as words of a sentence. */
export function containsPart(word: string, term: string): boolean {
  if (SEPARATOR.test(word) && !SEPARATOR.test(term)) {
    const [, ...parts] = word.split(SEPARATOR);
    if (parts.some((part) => part.startsWith(term))) return true;
  }
  if (HANGUL.test(term)) return word.includes(term, 1);
  return UNSPACED.test(term) && word.includes(term, 1) && isSegmented(word, term);
}

/** True when the term begins and ends where words of the text do. */
function isSegmented(word: string, term: string): boolean {
  const edges = new Set<number>([word.length]);
  for (const { index } of Words.of(word)) edges.add(index);
  for (let at = word.indexOf(term, 1); at !== -1; at = word.indexOf(term, at + 1)) {
    if (edges.has(at) && edges.has(at + term.length)) return true;
  }
  return false;
}
