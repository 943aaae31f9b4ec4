const TAG = /<[a-z](?:[^>"]|"[^"]*")*>/gi;
const ID = / id="([^"]*)"/;
/** Attributes whose value is an id, or a list of them. */
const NAMES = / (id|for|aria-labelledby|aria-describedby)="([^"]*)"/g;
const LINK = / href="#([^"]*)"/g;

/**
 * The HTML of a part with its ids renamed where `taken` has them already, and its links to them. Adds
 * its ids to `taken`.
 */
export function withUniqueIds(html: string, taken: Set<string>): string {
  const renamed = new Map<string, string>();
  for (const [tag] of html.matchAll(TAG)) {
    const id = ID.exec(tag)?.[1];
    if (id === undefined) continue;
    const free = freeId(id, taken);
    if (free !== id) renamed.set(id, free);
    taken.add(free);
  }
  if (renamed.size === 0) return html;
  const rename = (ids: string): string =>
    ids
      .split(" ")
      .map((id) => renamed.get(id) ?? id)
      .join(" ");
  return html.replace(TAG, (tag) =>
    tag
      .replace(NAMES, (_, name: string, ids: string) => ` ${name}="${rename(ids)}"`)
      .replace(LINK, (_, id: string) => ` href="#${rename(id)}"`),
  );
}

function freeId(id: string, taken: ReadonlySet<string>): string {
  if (!taken.has(id)) return id;
  for (let count = 2; ; count += 1) {
    const next = `${id}-${count}`;
    if (!taken.has(next)) return next;
  }
}
