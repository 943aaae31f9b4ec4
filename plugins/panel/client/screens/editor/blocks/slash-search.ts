/** Finds the entries of the slash menu by what is typed behind the slash. */

/** An entry that can be found. */
export interface SearchableEntry {
  readonly label: string;
  /** Other words for it, in both languages, separated by spaces. */
  readonly synonyms: string;
}

const LABEL = 4;
const WORD = 3;
const SYNONYM = 2;
const INSIDE = 1;

/** The entries that match, best first; equal ones stay in their order, and nothing typed matches all. */
export function findEntries<T extends SearchableEntry>(entries: readonly T[], typed: string): T[] {
  const words = normalize(typed).trim();
  if (words === "") return [...entries];
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry);
}

function scoreOf({ label, synonyms }: SearchableEntry, words: string): number {
  const name = normalize(label);
  if (name.startsWith(words)) return LABEL;
  if (name.split(/[\s-]+/).some((word) => word.startsWith(words))) return WORD;
  if (
    normalize(synonyms)
      .split(/\s+/)
      .some((word) => word.startsWith(words))
  )
    return SYNONYM;
  return name.includes(words) ? INSIDE : 0;
}

/** Lower case without accents: "uberschrift" finds "Überschrift". */
function normalize(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
