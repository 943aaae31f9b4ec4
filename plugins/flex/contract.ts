/** Public types of flex objects: types, records, lists, the write path, the service. */
import type { ChangeActor, NotifyHook, Field } from "#kernel";
import type { ContentProblem, ContentView, WriteRights } from "../content/contract.js";

/** A type of records: `flex-objects/{name}.yaml`. */
export interface FlexType {
  readonly name: string;
  readonly title: string;
  readonly icon: string;
  readonly description: string;
  /** Schema version; older records are migrated. 0 without a version. */
  readonly version: number;
  readonly fields: readonly Field[];
}

/** A record as the API returns it: meta fields, then the type's own. */
export interface FlexRecord {
  readonly _id: string;
  readonly _type: string;
  /** Unix ms. */
  readonly _createdAt: number;
  /** Unix ms. */
  readonly _updatedAt: number;
  readonly [field: string]: unknown;
}

/** A record as the change feed has it. */
export interface RecordState {
  readonly record: FlexRecord;
  /** False for a record whose file says `published: false`. */
  readonly isPublished: boolean;
}

/** Says why a value was rejected. */
export interface FlexFieldError {
  /** Empty when it concerns the whole record. */
  readonly field: string;
  /** `ERR_FLEX_…`. */
  readonly code: string;
  /** Display text with the field's label. */
  readonly message: string;
}

/** A list query. */
export interface FlexListQuery {
  /** Default: `_createdAt`, newest first. Ties break on the id. */
  readonly order?: { readonly by: string; readonly dir: "asc" | "desc" };
  /** Field to values, one of which must match; a list matches when it contains one. */
  readonly filter?: Readonly<Record<string, readonly string[]>>;
  readonly offset?: number;
  /** Absent: all. */
  readonly limit?: number;
}
/** A slice of a type's records. `total` counts before slicing. */
export interface FlexList {
  readonly records: readonly FlexRecord[];
  readonly total: number;
}

/** One change of the write path. */
export type FlexChange =
  | { op: "create"; type: string; id?: string; data: Readonly<Record<string, unknown>> }
  | {
      op: "update";
      type: string;
      id: string;
      data: Readonly<Record<string, unknown>>;
      ifHash?: string;
    }
  | { op: "delete"; type: string; id: string; ifHash?: string };
/** Options of a write. */
export interface FlexApplyOptions {
  dryRun?: boolean;
  /**
   * The rights of the author: `site.use("admin").rightsOf(identity)`. Without `record` the change is
   * ERR_FLEX_FORBIDDEN. Without `publish` new records start with `published: false`, and a change that would publish
   * a record is ERR_FLEX_AUDIENCE; a change of other fields than those allowed is ERR_FLEX_LIMITED. Absent: the
   * site's own work, which may do everything.
   */
  rights?: WriteRights;
  /** For the change feed. */
  actor?: ChangeActor | null;
  message?: string;
}
/** The result of a change. */
export interface FlexChangeResult {
  readonly op: FlexChange["op"];
  readonly type: string;
  /** Empty when a record was not created. */
  readonly id: string;
  readonly status: "created" | "updated" | "deleted" | "error";
  /** The current record; null after a deletion or an error. */
  readonly record: FlexRecord | null;
  /** `ERR_FLEX_…`; null on success. */
  readonly code: string | null;
  /** With ERR_FLEX_WRITE: the code of the system's error, such as `ENOSPC`. */
  readonly systemCode?: string;
  readonly errors: readonly FlexFieldError[];
}

/** Adds a value to the records of a list, for a name in `include=`. */
export interface RecordInclude {
  /** One sentence for the reference. */
  readonly description: string;
  /**
   * The value, under the name of the include; undefined adds nothing. Show what `view` shows, and add
   * what the value depends on to `view.reads`.
   */
  of(record: FlexRecord, view: ContentView): unknown;
}
/** Includes by name. */
export interface RecordIncludes {
  readonly [name: string]: RecordInclude;
}

/** Options of a migration. */
export interface FlexMigrationOptions {
  /** True: reports what would be migrated, writes nothing. */
  readonly dryRun: boolean;
  /** Called after each record. */
  readonly onRecord?: (done: number, total: number) => void;
}
/** The result of a migration or dry run. */
export interface FlexMigrationReport {
  readonly type: string;
  readonly records: number;
  readonly migrated: number;
  readonly current: number;
  /** The oldest version before the migration; `to` is the version of the schema. */
  readonly from: number;
  readonly to: number;
  readonly failed: readonly { readonly id: string; readonly message: string }[];
}

/**
 * Flex objects.
 *
 * @example
 * const flex = site.use("flex");
 * const boats = await flex.list("boats", { filter: { kind: ["sloop"] }, limit: 10 });
 * const [created] = await flex.apply([{ op: "create", type: "boats", data: { name: "Aurora" } }]);
 * if (created?.status === "error") site.log.warn("boats.invalid", { errors: created.errors });
 */
export interface FlexService {
  /** Every type, by name. */
  types(): readonly FlexType[];
  /** Undefined for an unknown name. */
  type(name: string): FlexType | undefined;
  /** Published records; null for an unknown type. @throws ERR_FLEX_FIELD for an unknown field */
  list(type: string, query?: FlexListQuery): Promise<FlexList | null>;
  /** A published record; null when type or record does not exist. */
  get(type: string, id: string): Promise<FlexRecord | null>;
  /** Any valid record, even unpublished, with the digest for `ifHash`. */
  source(type: string, id: string): Promise<{ record: FlexRecord; hash: string } | null>;
  /** All valid records, including unpublished ones, newest first. */
  all(type: string): Promise<readonly FlexRecord[]>;
  /** The one write path: coerce, validate, write atomically, publish on `site.changes`, then fire `onFlexChange`. */
  apply(changes: readonly FlexChange[], options?: FlexApplyOptions): Promise<FlexChangeResult[]>;
  /** Validates data like `apply`, without a record. Empty: valid. */
  validate(type: string, data: Readonly<Record<string, unknown>>): readonly FlexFieldError[];
  /** Invalid schemas and records, for `content:check`. Reads all records. */
  problems(): Promise<readonly ContentProblem[]>;
  /** Types for `codegen`. */
  flexTypes(): readonly FlexType[];
  /** Migrates every record of a type to the version of its schema. */
  migrate(type: string, options: FlexMigrationOptions): Promise<FlexMigrationReport>;
  /** Re-reads externally changed schemas and records. With keys (`{type}/{id}`) only these records. */
  refresh(keys?: readonly string[]): Promise<void>;
}

declare module "#kernel" {
  interface ChangeKinds {
    /** A record, by `{type}/{id}`, unpublished ones too. A changed schema has only the tag `flex:{type}`. */
    record: RecordState;
  }
  interface Services {
    flex: FlexService;
  }
  interface Extensions {
    /**
     * Adds names that `include=` accepts in lists of records; the API has those of all plugins.
     *
     * @example
     * site.extensions.add("recordIncludes", {
     *   age: { description: "Days since it was created", of: ({ _createdAt }) => (Date.now() - _createdAt) / 864e5 },
     * });
     */
    recordIncludes: RecordIncludes;
  }
  interface HookMap {
    /**
     * After a record has changed. `record` is null after a deletion; an empty `id` says that the type's
     * schema has changed.
     *
     * @example
     * site.hooks.on("onFlexChange", ({ data, log }) => {
     *   if (data.type === "orders" && data.op === "create") log.info("orders.placed", { id: data.id });
     * });
     */
    onFlexChange: NotifyHook<{
      op: FlexChange["op"];
      type: string;
      id: string;
      record: FlexRecord | null;
    }>;
  }
}
