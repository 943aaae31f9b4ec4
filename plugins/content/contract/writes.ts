/** The one write path: changes, the rights of their author, results, and what caches and hooks get of them. */
import type { HookMap } from "#kernel";
import type { FieldViolation } from "./blueprints.js";
import type { PageEntry } from "./pages.js";

/**
 * The action of the author of a change: to a page `create`, `update`, `delete`; to a media file or its sidecar
 * `upload`, `remove`; `publish` what the public sees, or will see; write `code` that the server runs; write a
 * `record`.
 */
export type WriteAction =
  "create" | "update" | "delete" | "upload" | "remove" | "publish" | "code" | "record";

/** The rights of the author of changes. The write paths of pages and records decide with them. */
export interface WriteRights {
  /**
   * Why the author may not do this, as a sentence for the error; null: allowed. `path` is below the content
   * folder; null for records, and for pages anywhere. `owners` are the accounts that own the page, or the page that the file is a part of
   * (`content.ownersOf`); null: the page is new, and becomes the author's.
   */
  refuse(action: WriteAction, path: string | null, owners: readonly string[] | null): string | null;
  /**
   * The keys of front matter, sidecars and records that may change, and `body` for the text of a page; any
   * other change is ERR_CONTENT_LIMITED. Null: all.
   */
  readonly fields: readonly string[] | null;
  /**
   * The account that gets the pages that the author creates, in the key `owner` of their front matter. Null: the key
   * is not written.
   */
  readonly owner: string | null;
}

/** Keys that changes of every kind may have. */
interface ChangeBase {
  /** Below the content folder. */
  path: string;
  /**
   * True: the change follows from the others, such as a link to a page that moves. It is made with the rights of the
   * server, not of the author.
   */
  asServer?: boolean;
}

/** One change of the write path; paths are relative to the content folder. */
export type ContentChange =
  | (ChangeBase & {
      op: "write";
      content: string | Buffer;
      /** Merged into the front matter of `content` before it is written. */
      patch?: Readonly<Record<string, unknown>>;
      ifHash?: string;
      /** True: ERR_CONTENT_EXISTS when there is a file. */
      isNew?: boolean;
      /** True: fields without a value get the defaults of a new page, and the date of a first publication. */
      fillsIn?: boolean;
      /**
       * True: the file of a deleted page is restored. It belongs to the owners that its text names, and may be a text
       * that cannot be read as a page.
       */
      isRestored?: boolean;
    })
  | (ChangeBase & { op: "delete"; ifHash?: string })
  | (ChangeBase & {
      op: "frontmatter";
      patch: Readonly<Record<string, unknown>>;
      ifHash?: string;
      /** True: fields without a value get the defaults of a new page, and the date of a first publication. */
      fillsIn?: boolean;
    })
  | (ChangeBase & { op: "move"; to: string });

/** The result of a change. */
export interface ContentChangeResult {
  op: ContentChange["op"];
  path: string;
  status: "created" | "updated" | "deleted" | "moved" | "skipped" | "error";
  errors: string[];
  /** `ERR_CONTENT_…` when the status is `error`. */
  code?: string;
  /** With ERR_CONTENT_WRITE: the code of the system's error, such as `ENOSPC`. */
  systemCode?: string;
  /** With ERR_CONTENT_INVALID: what does not fit the page's blueprint. */
  validationErrors?: readonly FieldViolation[];
  /** Digest of the current file: after a write, and with ERR_CONTENT_CONFLICT. */
  hash?: string;
  /**
   * True when the change lets more people see a page or its media, now or later: by
   * status, dates, `roles` or path. Absent for files that are not pages.
   */
  publishes?: boolean;
  /** With `texts`: the file before and after; null: it is missing, or not text. */
  texts?: { readonly before: string | null; readonly after: string | null };
}

/** Author and mode of a change. */
export interface ApplyOptions {
  /** The author that history, git and the audit log name. */
  actor?: { id: string; name: string; email: string } | null;
  /** Returns the same results but writes nothing. */
  dryRun?: boolean;
  /**
   * The rights of the author: `site.use("admin").rightsOf(identity)`. What they do not allow is rejected with
   * ERR_CONTENT_FORBIDDEN, ERR_CONTENT_AUDIENCE (publishing) or ERR_CONTENT_LIMITED (fields). Absent: the site's own
   * work, which may do everything.
   */
  rights?: WriteRights;
  /** Dry runs only: results have the texts before and after. */
  texts?: boolean;
  /**
   * False writes pages that do not fit their blueprint, for changes that their authors did not make,
   * such as links rewritten by a move. Default true: ERR_CONTENT_INVALID.
   */
  validate?: boolean;
  message?: string;
}

/** A file that `apply` wrote, moved or deleted, as the change feed has it. */
export interface FileState {
  /** Null for a move, and after delivery of the batch: the feed does not retain file contents. */
  readonly bytes: Buffer | null;
}

/** The hooks about pages. */
export type PageHook = "onPageCreate" | "onPageUpdate" | "onPageDelete" | "onWorkflowChange";

/** The payload of one page hook. */
export type PageEvent = { [N in PageHook]: { hook: N; data: HookMap[N]["data"] } }[PageHook];

/** The state of a page in a tree, as short digests of what lists, navigation and terms show of it. */
export type PageState = readonly [
  bytes: string,
  /** Day of its last change, for sitemaps. */
  day: number,
  standing: string,
  metadata: string,
  navigation: string,
  terms: string,
  /** Tags of its position: the list of its parent, its routes. */
  places: readonly string[],
];

/** Source path to state; it may be stored as JSON, to be compared by a later process. */
export type TreeState = ReadonlyMap<string, PageState>;

/** The changes from one generation to the next. */
export interface ContentChanges {
  generation: number;
  created: readonly PageEntry[];
  updated: readonly PageEntry[];
  deleted: readonly PageEntry[];
  /**
   * Invalidated read tags: `page:…`, `route:…` and `media:…` for single items, `list:…` for a page's
   * children, `list` for all, `nav`, `taxonomy`; `modified` for the days on which pages changed.
   */
  tags: ReadonlySet<string>;
}

declare module "#kernel" {
  interface ChangeKinds {
    /**
     * A page of the tree, by source path. `create` and `delete` are those of its file: a page whose file
     * cannot be read for a while is updated from and to null. `before` and `after` are the same entry
     * when a scheduled page appears or disappears.
     */
    page: PageEntry;
    /** A file that `apply` wrote, by its path below the content folder; of a moved folder the folder. */
    file: FileState;
  }
}
