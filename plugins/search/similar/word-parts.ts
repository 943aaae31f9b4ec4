/** Words inside other words: after an elision, in a compound with hyphens, in scripts without spaces. */
import { MAX_TERM_LENGTH } from "../query/terms.js";

const SEPARATOR = /[-'\u2010\u2011]/u;
/** Scripts whose words `Intl.Segmenter` finds, and Hangul, whose particles follow a word. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}]/u;
const HANGUL = /\p{Script=Hangul}/u;
const SENTENCE_MARKS = /[、。，！？；：…]+/gu;
const LONG_RUN = new RegExp(`\\S{${MAX_TERM_LENGTH + 1},}`, "gu");
const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

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
  for (const { segment } of segmenter.segment(run)) {
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
  for (const { index } of segmenter.segment(word)) edges.add(index);
  for (let at = word.indexOf(term, 1); at !== -1; at = word.indexOf(term, at + 1)) {
    if (edges.has(at) && edges.has(at + term.length)) return true;
  }
  return false;
}
