/** Page types: what the front matter of a page may have. */
import type { Field, FieldError, JsonSchema } from "#kernel";
import type { ContentProblem, PageEntry, WorkflowStatus } from "./pages.js";

/** Derives the path of a new page from its front matter. */
export interface PageNaming {
  /** Name of the field from which the segment is made. */
  readonly slug: string;
  /** `date`: the page's day as its number, `20270601.`; `number`: the next number of the folder. */
  readonly prefix: "none" | "number" | "date";
}

/** A page type: the front matter of pages with one template. */
export interface Blueprint {
  /** Name of the template and of the file without extension. */
  readonly name: string;
  /** Display text; the name when the file has none. */
  readonly title: string;
  /** Theme template that draws the pages; the name when the file has none. */
  readonly template: string;
  /** Fields of the front matter, inherited ones first. */
  readonly fields: readonly Field[];
  /** Templates of the pages directly below; null: any. */
  readonly children: readonly string[] | null;
  /** Templates of the page directly above; null: any. */
  readonly parents: readonly string[] | null;
  /** Status of new pages; null: the site's default. */
  readonly status: WorkflowStatus | null;
  /** Null: the path is chosen with each new page. */
  readonly naming: PageNaming | null;
  /** Columns of lists of these pages: names of fields, or keys of a page such as `date`. */
  readonly columns: readonly string[];
  /** Names of the fields that themes show with the text of a page. */
  readonly show: readonly string[];
}

/** A page to be created. */
export interface NewPage {
  /** Route of the page above; `/` for the top. */
  readonly parent: string;
  readonly template: string;
  readonly frontmatter: FieldValues;
}

/** A type of blocks, for fields of kind `blocks`. */
export interface BlockType {
  /** The `type` of its blocks, and the name of the file without extension. */
  readonly name: string;
  /** Display text. */
  readonly label: string;
  readonly fields: readonly Field[];
}

/** Values by field, as front matter has them. */
export type FieldValues = Readonly<Record<string, unknown>>;

/** A file as its page type describes it. */
interface DescribedFile {
  /** Undefined: pages with its template have free front matter. */
  blueprint: Blueprint | undefined;
  frontmatter: FieldValues;
}

/**
 * The page types of a site. Files that change are read again while the site runs.
 *
 * @example
 * const { blueprints } = site.use("content");
 * const names = blueprints.of("post")?.fields.map(({ name }) => name) ?? [];
 * site.log.info("post.fields", { names, version: blueprints.version });
 */
export interface Blueprints {
  /** The page type of a template; undefined: pages with it have free front matter. */
  of(template: string): Blueprint | undefined;
  /** All page types, by name. */
  list(): readonly Blueprint[];
  /** All types of blocks, by name. */
  blocks(): readonly BlockType[];
  /** Problems of the files: path below the site root, line and key. */
  readonly problems: readonly ContentProblem[];
  /** Grows whenever the files change in meaning; everything that was cached is then dropped. */
  readonly version: number;
  /** Lists the fields of an indexed page that do not fit, with line, key and value. */
  violations(entry: PageEntry): Promise<readonly ContentProblem[]>;
  /**
   * A free path for a new page, by the naming of its page type; without one its title is the segment.
   * @throws HttpError 400 for a parent that does not exist, 422 without a value to name it by.
   */
  newPath(page: NewPage): string;
  /** The `date` of a page of a type that is published at a time (Unix ms); null when the type has no such field. */
  dateAt(template: string, time: number): string | null;
  /** The page type and the front matter that a file of this text would have at this path. */
  describe(path: string, text: string): DescribedFile;
}

/**
 * JSON Schema for editors of content.
 *
 * @example
 * const names = Object.keys(site.use("editorSchemas").all());
 * site.log.info("schemas.listed", { names });
 */
export interface EditorSchemas {
  all(): Readonly<Record<string, JsonSchema>>;
}

/** A field of a page that does not fit. */
export type FieldViolation = Pick<FieldError, "field" | "message">;

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

/** Resolves with true when a key of a target exists; `of`: the types that a field allows, empty: any. */
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
