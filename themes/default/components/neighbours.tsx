import { inLanguage } from "#theme";
import type { PageLink } from "#theme";

interface NeighboursProps {
  /** Accessible name of the navigation. */
  label: string;
  before: PageLink | null;
  after: PageLink | null;
  /** Labels above the two titles. */
  words: readonly [before: string, after: string];
}

/** Links to the previous and next page; nothing if there is neither. */
export function Neighbours({ label, before, after, words }: NeighboursProps) {
  if (before === null && after === null) return null;
  return (
    <nav class="neighbours" aria-label={label}>
      {before !== null && (
        <a class="before" rel="prev" href={before.url}>
          <small>{words[0]}</small> <span {...inLanguage(before.lang)}>{before.title}</span>
        </a>
      )}
      {after !== null && (
        <a class="after" rel="next" href={after.url}>
          <small>{words[1]}</small> <span {...inLanguage(after.lang)}>{after.title}</span>
        </a>
      )}
    </nav>
  );
}
