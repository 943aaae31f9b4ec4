import { SiteError, isRecord, type Field } from "#kernel";
import { nearest } from "#lib/values";
import { QueryTable, queryKindOf, type QueryName, type QuerySource } from "#lib/query";
import type { FlexListQuery, FlexType } from "../contract.js";
import type { StoredRecord } from "./record-file.js";

/** A slice of the published records. `total` counts before slicing. */
interface RecordSlice {
  readonly records: readonly StoredRecord[];
  readonly total: number;
}

const META_FIELDS = ["_id", "_createdAt", "_updatedAt"];
const NEWEST_FIRST = { by: "_createdAt", dir: "desc" } as const;

/** The valid records of one type, with the requested sort orders. */
export class RecordList {
  readonly type: FlexType;
  readonly #records: ReadonlyMap<string, StoredRecord>;
  readonly #orders = new Map<string, readonly StoredRecord[]>();
  #json: Buffer | null = null;
  #table: { names: RecordNames; table: QueryTable<StoredRecord> } | null = null;

  constructor(type: FlexType, records: ReadonlyMap<string, StoredRecord>) {
    this.type = type;
    this.#records = records;
  }

  get(id: string): StoredRecord | undefined {
    return this.#records.get(id);
  }

  /** All records, newest first. */
  all(): readonly StoredRecord[] {
    return [...this.#records.values()].sort(comparator(NEWEST_FIRST));
  }

  /** @throws ERR_FLEX_FIELD for a field that the type does not have. */
  select({
    order = NEWEST_FIRST,
    filter = {},
    offset = 0,
    limit,
  }: FlexListQuery = {}): RecordSlice {
    const filters = Object.entries(filter);
    for (const field of [order.by, ...filters.map(([name]) => name)]) this.#assertField(field);
    const ordered = this.#ordered(order);
    const found = filters.length === 0 ? ordered : ordered.filter((one) => matches(one, filters));
    const end = limit === undefined ? undefined : offset + limit;
    return { records: found.slice(offset, end), total: found.length };
  }

  /** The published records, for queries. `timezone`: of dates without an offset. */
  table(timezone: string): { names: RecordNames; table: QueryTable<StoredRecord> } {
    if (this.#table !== null) return this.#table;
    const names = new RecordNames(this.type, timezone);
    const published = [...this.#records.values()].filter(({ isPublished }) => isPublished);
    return (this.#table = { names, table: new QueryTable(published, names) });
  }

  /** The published records as one JSON array, newest first. */
  json(): Buffer {
    return (this.#json ??= Buffer.from(jsonArray(this.#ordered(NEWEST_FIRST))));
  }

  #ordered(order: Order): readonly StoredRecord[] {
    const key = `${order.by}:${order.dir}`;
    const known = this.#orders.get(key);
    if (known !== undefined) return known;
    const published = [...this.#records.values()].filter(({ isPublished }) => isPublished);
    const ordered = published.sort(comparator(order));
    this.#orders.set(key, ordered);
    return ordered;
  }

  #assertField(field: string): void {
    if (META_FIELDS.includes(field)) return;
    const names = this.type.fields.map(({ name }) => name);
    if (names.includes(field)) return;
    const near = nearest(field, [...names, ...META_FIELDS]);
    const hint = near === null ? "" : `, did you mean ${near}?`;
    const shown = JSON.stringify(field.slice(0, 64));
    throw new SiteError(
      "ERR_FLEX_FIELD",
      `type ${JSON.stringify(this.type.name)} has no field ${shown}${hint}`,
      { status: 400 },
    );
  }
}

/** Records as one JSON array. */
export function jsonArray(records: readonly StoredRecord[]): string {
  return `[${records.map(({ json }) => json).join(",")}]`;
}

type Order = NonNullable<FlexListQuery["order"]>;
type Comparator = (a: StoredRecord, b: StoredRecord) => number;

/** By a field's value; records without one come last in either direction. */
function comparator({ by, dir }: Order): Comparator {
  const sign = dir === "asc" ? 1 : -1;
  return ({ record: a }, { record: b }) => {
    const [first, second] = [a[by], b[by]];
    const missing = Number(first === undefined) - Number(second === undefined);
    if (missing !== 0) return missing;
    const order = compareValues(first, second);
    if (order !== 0) return sign * order;
    return a._id < b._id ? -1 : Number(a._id > b._id);
  };
}

function compareValues(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return a === b ? 0 : compareRecordTexts(String(a), String(b));
}

function matches(
  { record }: StoredRecord,
  filters: readonly [string, readonly string[]][],
): boolean {
  return filters.every(([field, wanted]) => {
    const value = record[field];
    if (Array.isArray(value)) return value.some((item) => wanted.includes(String(item)));
    return value !== undefined && wanted.includes(String(value));
  });
}

type Name = QueryName<StoredRecord>;

const META: Readonly<Record<string, Name["kind"]>> = {
  _id: "text",
  _type: "text",
  _createdAt: "number",
  _updatedAt: "number",
};

class RecordCollator {
  static #collator: Intl.Collator | null = null;

  static compare(a: string, b: string): number {
    this.#collator ??= new Intl.Collator("en", { sensitivity: "base", numeric: true });
    return this.#collator.compare(a, b);
  }
}

/** Compares texts of records: digits by their number. */
function compareRecordTexts(a: string, b: string): number {
  return RecordCollator.compare(a, b);
}

/** The names of a type's records: meta fields, fields, and fields of objects by `field.name`. */
class RecordNames implements QuerySource<StoredRecord> {
  readonly compareTexts = compareRecordTexts;
  readonly timezone: string;
  readonly #type: FlexType;

  constructor(type: FlexType, timezone: string) {
    this.#type = type;
    this.timezone = timezone;
  }

  key({ record }: StoredRecord): string {
    return record._id;
  }

  names(): readonly string[] {
    return [...this.#type.fields.map(({ name }) => name), ...Object.keys(META)];
  }

  find(name: string): Name | undefined {
    const path = name.split(".");
    const kind = Object.hasOwn(META, name) ? META[name] : kindAt(this.#type.fields, path);
    if (kind === undefined) return undefined;
    return { kind, path, value: ({ record }) => valueAt(record, path) };
  }
}

function kindAt(
  fields: readonly Field[],
  [key, ...rest]: readonly string[],
): Name["kind"] | undefined {
  const field = fields.find(({ name }) => name === key);
  if (field === undefined || rest.length === 0) return field && queryKindOf(field);
  return kindAt(field.fields, rest);
}

/** The value at a path of keys; of a list, the values of all its elements. */
function valueAt(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return value;
  if (Array.isArray(value))
    return value.flatMap((one: unknown) => valueAt(one, [key, ...rest]) ?? []);
  return isRecord(value) && Object.hasOwn(value, key) ? valueAt(value[key], rest) : undefined;
}
