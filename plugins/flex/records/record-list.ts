import { SiteError, isRecord, type Field } from "#kernel";
import { nearest } from "#lib/values";
import {
  QueryTable,
  queryKindOf,
  type QueryName,
  type QueryResult,
  type QuerySource,
} from "#lib/query";
import type { FlexListQuery, FlexType } from "../contract.js";
import type { StoredRecord } from "./record-file.js";

const META_FIELDS = ["_id", "_createdAt", "_updatedAt"];
const NEWEST_FIRST = { by: "_createdAt", dir: "desc" } as const;

/** The valid records of one type. */
export class RecordList {
  readonly type: FlexType;
  readonly names: RecordNames;
  readonly #records: ReadonlyMap<string, StoredRecord>;
  #json: Buffer | null = null;
  #table: QueryTable<StoredRecord> | null = null;

  /** `timezone`: of dates without an offset. */
  constructor(type: FlexType, records: ReadonlyMap<string, StoredRecord>, timezone: string) {
    this.type = type;
    this.names = new RecordNames(type, timezone);
    this.#records = records;
  }

  get(id: string): StoredRecord | undefined {
    return this.#records.get(id);
  }

  /** All records, newest first. */
  all(): readonly StoredRecord[] {
    return [...this.#records.values()].sort(
      ({ record: a }, { record: b }) =>
        b._createdAt - a._createdAt || (a._id < b._id ? -1 : Number(a._id > b._id)),
    );
  }

  /** Published records. @throws ERR_FLEX_FIELD for a field that the type does not have. */
  select({
    order: { by: name, dir } = NEWEST_FIRST,
    filter = {},
    offset = 0,
    limit,
  }: FlexListQuery = {}): QueryResult<StoredRecord> {
    for (const field of [name, ...Object.keys(filter)]) this.#assertField(field);
    const all = Object.entries(filter).map(([field, values]) => {
      return { parameter: `filter[${field}]`, name: field, operator: "is" as const, values };
    });
    const query = { all, any: [], order: [{ name, dir }], cursor: null };
    return this.table.select(query, { offset, limit });
  }

  /** The published records, for queries. */
  get table(): QueryTable<StoredRecord> {
    if (this.#table !== null) return this.#table;
    const published = [...this.#records.values()].filter(({ isPublished }) => isPublished);
    return (this.#table = new QueryTable(published, this.names));
  }

  /** The published records as one JSON array, newest first. */
  json(): Buffer {
    return (this.#json ??= Buffer.from(jsonArray(this.select().items)));
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

/** The names of a type's records: meta fields, fields, and fields of objects by `field.name`. */
class RecordNames implements QuerySource<StoredRecord> {
  /** Digits are compared by their number. */
  readonly compareTexts = (a: string, b: string): number => RecordCollator.compare(a, b);
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
    const kind = Object.hasOwn(META, name) ? META[name] : findKind(this.#type.fields, path);
    if (kind === undefined) return undefined;
    return { kind, path, value: ({ record }) => readValue(record, path) };
  }
}

function findKind(
  fields: readonly Field[],
  [key, ...rest]: readonly string[],
): Name["kind"] | undefined {
  const field = fields.find(({ name }) => name === key);
  if (field === undefined || rest.length === 0) return field && queryKindOf(field);
  return findKind(field.fields, rest);
}

/** The value at a path of keys; of a list, the values of all its elements. */
function readValue(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return value;
  if (Array.isArray(value))
    return value.flatMap((one: unknown) => readValue(one, [key, ...rest]) ?? []);
  return isRecord(value) && Object.hasOwn(value, key) ? readValue(value[key], rest) : undefined;
}
