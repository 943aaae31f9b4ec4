/** CSV and JSON as records of a flex type. */
import { basename } from "node:path";
import { isRecord } from "#kernel";
import type { ImportItem, ImportSource, SourceInput } from "../contract.js";
import { sourceError } from "../errors.js";
import { parseJson } from "./ghost/ghost-export.js";
import { readCsv } from "./read-csv.js";
import { readWholeText } from "./read-text.js";

const MAX_LENGTH = 256 * 1_048_576;
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
  const parsed = parseJson(await readWholeText(path, MAX_LENGTH), file);
  const list: unknown = Array.isArray(parsed)
    ? parsed
    : isRecord(parsed)
      ? Object.values(parsed).find(Array.isArray)
      : null;
  if (!Array.isArray(list))
    throw sourceError({ file }, "it has no list of objects", "use [ { … }, { … } ]");
  const keys = new RecordKeys();
  for (const [at, item] of list.entries()) {
    if (isRecord(item)) yield record(item, { file }, keys);
    else yield { kind: "notImported", origin: { file }, reason: `item ${at + 1} is not an object` };
  }
}

function record(
  values: Readonly<Record<string, unknown>>,
  origin: { file: string; line?: number },
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
    const count = (this.#seen.get(key) ?? 0) + 1;
    this.#seen.set(key, count);
    return count === 1 ? key : `${key}\n${count}`;
  }
}
