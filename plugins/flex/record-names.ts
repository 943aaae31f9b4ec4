import { isRecord, type Field } from "#kernel";
import { queryKindOf, type QueryName, type QuerySource } from "#kernel/internal";
import type { FlexType } from "./contract.js";
import type { StoredRecord } from "./records/record-file.js";

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
export function compareRecordTexts(a: string, b: string): number {
  return RecordCollator.compare(a, b);
}

/** The names of a type's records: meta fields, fields, and fields of objects by `field.name`. */
export class RecordNames implements QuerySource<StoredRecord> {
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
