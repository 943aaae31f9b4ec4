/** Relations between pages, and from pages to records, files and accounts. */
import type { Field } from "#kernel";
import type { FieldValues, FieldViolation } from "./blueprints.js";
import type { PageEntry } from "./pages.js";

/** Something that a page names in a field of kind `page`, `record`, `media`, … */
export interface Relation {
  /** Name of the field, with the way to a nested one: `steps.2.author`. */
  readonly field: string;
  /** Kind of the target: `page`, `record`, `media`, `user`. */
  readonly target: string;
  /** As written: of a page its source folder below `content/` without order numbers. */
  readonly key: string;
  /** The page, in the language of the one that names it if there is one; null for other targets. */
  readonly entry: PageEntry | null;
  /** The page whose file a `media` relation names by key; null for files of the page itself and other targets. */
  readonly owner: PageEntry | null;
  /** The file below `content/` that a `media` relation names; null when its page does not exist, and for other targets. */
  readonly file: string | null;
  /** The types that the field allows; empty: any. */
  readonly of: readonly string[];
}

/** A page that names another one. */
export interface BackReference extends Pick<Relation, "field"> {
  /** The page with the field. */
  readonly entry: PageEntry;
}

/** Whether a key of a target exists; `of`: the types that a field allows, empty: any. */
export type TargetExists = (key: string, of: readonly string[]) => boolean | Promise<boolean>;

/** Values of a page or record whose fields may be relations. */
export interface RelationValues {
  readonly fields: readonly Field[];
  readonly values: FieldValues;
  /** Language of the pages that they name. */
  readonly lang: string;
  /** Folder below `content/` whose files are named without a path. Absent: none. */
  readonly folder?: string;
  /** The values before a change: accounts that they name already may be missing. */
  readonly before?: FieldValues | null;
}

/**
 * Relations in both directions, as blueprints declare them. Unpublished and gated pages are included:
 * ask a view what a visitor may see.
 *
 * @example
 * const content = site.use("content");
 * const author = content.generation().at("/authors/ines", "en");
 * const posts = author ? content.relations.referencedBy(author) : [];
 * site.log.info("author.posts", { routes: posts.map(({ entry }) => entry.route) });
 */
export interface Relations {
  /** The relations of a page, in the order of its fields. */
  of(entry: PageEntry): readonly Relation[];
  /** The pages that name a page, in tree order; found once per generation. */
  referencedBy(entry: PageEntry): readonly BackReference[];
  /** The key by which relations name a page; all its languages share it. */
  keyOf(entry: PageEntry): string;
  /** The relations in values, in the order of their fields: for records, as `of` for pages. */
  named(given: RelationValues): readonly Relation[];
  /** The values to change when pages move; null: none. `pathAfter` maps source paths. */
  moved(given: RelationValues, pathAfter: (path: string) => string): FieldValues | null;
  /**
   * How to find out, in `setup`, whether something of a target exists; `of` are the types that a field
   * allows, empty: any. Without it every key is accepted.
   */
  addTarget(target: string, exists: TargetExists): void;
  /** The relations whose target does not exist, or is not allowed by the field. */
  missing(given: RelationValues): Promise<readonly FieldViolation[]>;
}
