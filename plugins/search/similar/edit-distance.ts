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
  if (word.length < term.length - most) return null;
  const isByBeginning = term.length >= SHORTEST_BEGINNING;
  if (!isByBeginning && word.length > term.length + most) return null;
  const width = Math.min(word.length, term.length + most);
  const last = lastRow(term, word.slice(0, width), most);
  if (last === null) return null;
  const distance = isByBeginning ? Math.min(...last) : (last[word.length] ?? most + 1);
  return distance <= most ? distance : null;
}

/** The last row of the table of distances; null when all distances exceed `most` before. */
function lastRow(term: string, word: string, most: number): number[] | null {
  let before: number[] = [];
  let row = Array.from({ length: word.length + 1 }, (_, at) => at);
  for (let i = 1; i <= term.length; i++) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= word.length; j++) {
      const isSame = term[i - 1] === word[j - 1];
      let edits = Math.min(
        (row[j - 1] as number) + (isSame ? 0 : 1),
        (row[j] as number) + 1,
        (next[j - 1] as number) + 1,
      );
      const isSwap = i > 1 && j > 1 && term[i - 1] === word[j - 2] && term[i - 2] === word[j - 1];
      if (isSwap) edits = Math.min(edits, (before[j - 2] as number) + 1);
      next.push(edits);
      if (edits < least) least = edits;
    }
    if (least > most) return null;
    before = row;
    row = next;
  }
  return row;
}
