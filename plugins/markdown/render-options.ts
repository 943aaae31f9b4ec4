/** What of the settings changes the HTML of a body; part of every cache key. */
export interface RenderOptions {
  /** Footnotes, definition lists, heading ids. */
  extra: boolean;
  /** `<https://…>` and `<me@example.org>` become links. */
  autoLinks: boolean;
  /** Bare addresses become links. */
  autoUrlLinks: boolean;
  /** A non-breaking space before the last word of paragraphs. */
  orphans: boolean;
  /** Raw HTML is left as it is. */
  trusted: boolean;
}

/** What the site knows of one reference of a body: its address and, for media, what images carry. */
export interface ReferenceFact {
  url: string;
  alt?: string;
  title?: string;
  attributes?: Readonly<Record<string, string>>;
}

/** Reference as written in the body to what it leads to; references that lead nowhere are absent. */
export type Facts = ReadonlyMap<string, ReferenceFact>;

/** Finds the facts of a body's references. */
export type FindFacts = (references: readonly string[]) => Promise<Facts>;

/** Changes with the HTML a body gives, so that kept HTML of older versions is not served. */
export const PIPELINE_VERSION = 3;
