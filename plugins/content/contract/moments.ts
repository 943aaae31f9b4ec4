/** Types for reading: the visitor, the moment of the content, the state of the tree, loaded pages. */
import type { ContentProblem, MediaItem, PageEntry } from "./pages.js";

/** The visitor: the only input that decides which parts of the tree are visible. */
export interface Viewer {
  /** Roles of the logged-in visitor; null for an anonymous one. */
  readonly roles: readonly string[] | null;
  /** True for an admin session or token with `pages.read`: unpublished pages too. */
  readonly seesUnpublished: boolean;
  /** True: gated pages stay hidden although unpublished ones are visible (an export with drafts). */
  readonly onlyOpen?: boolean;
  /** Another moment than the present one: its content is seen, unpublished pages of it are not. */
  readonly moment?: Moment;
}

/** The moment of the content that is shown, and its viewer. */
export interface MomentOptions {
  /** When schedules are evaluated, a date and time as in front matter; null: now, or the time of the commit. */
  readonly at: string | null;
  /** Id of a commit, at least 7 hexadecimal digits; null: the present files. */
  readonly rev: string | null;
  /** Source path of a gated page that is open, `*` for all; null: none. */
  readonly opens: string | null;
  /** Query string that leads to the moment; links of its pages keep it. */
  readonly query: string;
}

/** The content at a moment, for reading. */
export interface Moment extends Pick<MomentOptions, "opens" | "query">, ContentReads {
  /** Unix ms at which schedules are evaluated. */
  readonly at: number;
  /** Full id of the commit; null: the present files. */
  readonly commit: string | null;
  /** A media file of the commit with the page it belongs to; null without one, and for the present files. */
  file(folder: string, name: string): Promise<{ bytes: Buffer; entry: PageEntry | null } | null>;
}

/** The reading methods of the content service, at this or another moment. */
export interface ContentReads {
  generation(): Generation;
  /** The address of a page in a language: its translation, else the page that replaces it. */
  addressIn(entry: PageEntry, lang: string): string;
  /**
   * A source file by its path below `content/` (a leading `content/` is removed). Entry and text are of
   * the same version; null when not indexed.
   * @throws HttpError 503 when the file cannot be read.
   */
  source(sourcePath: string): Promise<Page | null>;
  /** Media of a folder, with sidecars. */
  media(folder: string): Promise<readonly MediaItem[]>;
}

/** An immutable state of the whole tree. */
export interface Generation {
  /** Counts up with each change. */
  readonly id: number;
  /** Every indexed page, in tree order, unpublished and gated ones too. */
  readonly entries: readonly PageEntry[];
  readonly bySource: ReadonlyMap<string, PageEntry>;
  readonly problems: readonly ContentProblem[];
  /** The entry at a route in a language (no fallback). */
  at(route: string, lang: string): PageEntry | undefined;
}

/** A loaded page. */
export interface Page {
  readonly entry: PageEntry;
  /** The source with front matter. */
  readonly raw: string;
  /** The source without front matter. */
  readonly body: string;
  readonly media: readonly MediaItem[];
  /** True for text that is not saved now: it is rendered without being cached, and marked with its lines. */
  readonly isPreview?: true;
  /** With text of a commit: what it refers to. Such text is not marked with its lines. */
  readonly moment?: Moment;
}

/** The text of one version of a page. */
export type PageVersion = Pick<Page, "raw" | "body">;

declare module "#kernel" {
  interface RequestState {
    /** Set by authentication; absent: anonymous. */
    viewer?: Viewer;
  }
}
