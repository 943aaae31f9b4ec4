/** CSV and JSON as records of a flex type. */
import { basename } from "node:path";
import { isRecord } from "#kernel";
import { sha256 } from "#lib/secrets";
import type { ImportItem, ImportSource, Origin, SourceInput } from "../contract.js";
import { sourceError } from "../errors.js";
import { readCsv } from "./read-csv.js";
import { JsonFile } from "./read-json.js";

/** The brackets around records: those of a list, or of the lists of a map. */
const PLACES = ["[", "{["];
/** Characters of a key that is remembered as it is. */
const MAX_KEPT = 64;
/** Fields that identify a record, if the source has one. */
const KEYS = ["_id", "id", "ID", "Id", "uuid", "sku", "slug"];

/** The source `csv`: the header names the fields. */
export const csv: ImportSource = {
  summary: "a CSV file with a header, as records",
  items: csvItems,
};
/** The source `json`: a list of objects, or a map of lists. */
export const json: ImportSource = {
  summary: "a JSON file with a list of objects, as records",
  items: jsonItems,
};

async function* csvItems({ path }: SourceInput): AsyncGenerator<ImportItem> {
  const file = basename(path);
  const keys = new RecordKeys();
  for await (const { values, line } of readCsv(path)) {
    yield record(values, { file, line }, keys);
  }
}

async function* jsonItems({ path }: SourceInput): AsyncGenerator<ImportItem> {
  const file = basename(path);
  const source = new JsonFile(path);
  const keys = new RecordKeys();
  let first: string | null = null;
  // In a map of lists, the first one with objects counts.
  const wants = (list: string): boolean => (first ??= list) === list;
  for await (const { value, line } of source.elements({ places: PLACES, wants })) {
    if (isRecord(value)) yield record(value, { file, line }, keys);
  }
  const { outline } = source;
  const list = listIn(outline, first);
  if (!Array.isArray(list))
    throw sourceError({ file }, "it has no list of objects", "use [ { … }, { … } ]");
  for (const [at, item] of list.entries()) {
    if (isRecord(item)) continue;
    yield { kind: "notImported", origin: { file }, reason: `item ${at + 1} is not an object` };
  }
}

/** The list that was read, in the outline of the file. */
function listIn(outline: unknown, name: string | null): unknown {
  if (!isRecord(outline)) return outline;
  const named = name === null ? undefined : outline[name];
  return named ?? Object.values(outline).find(Array.isArray);
}

function record(
  values: Readonly<Record<string, unknown>>,
  origin: Origin,
  keys: RecordKeys,
): ImportItem {
  const data = Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => !name.startsWith("_") && value !== "" && value !== null,
    ),
  );
  return { kind: "record", origin, key: keys.of(values), data };
}

/** Gives each record a key that is the same in every run, although rows may repeat. */
class RecordKeys {
  readonly #seen = new Map<string, number>();

  of(values: Readonly<Record<string, unknown>>): string {
    const own = KEYS.map((name) => values[name]).find(
      (value) => typeof value === "string" || typeof value === "number",
    );
    const key = own === undefined || own === "" ? JSON.stringify(values) : String(own);
    const short = key.length > MAX_KEPT ? sha256(key) : key;
    const count = (this.#seen.get(short) ?? 0) + 1;
    this.#seen.set(short, count);
    return count === 1 ? key : `${key}\n${count}`;
  }
}
