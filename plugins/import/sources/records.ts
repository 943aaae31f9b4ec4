/** CSV and JSON as records of a flex type. */
import { basename } from "node:path";
import { pipeline, Readable } from "node:stream";
import { z } from "zod";
import { isRecord } from "#kernel";
import { loadOptional } from "#lib/packages";
import { sha256 } from "#lib/secrets";
import type { ImportItem, ImportSource, Origin, SourceInput } from "../contract.js";
import { sourceError } from "../errors.js";
import { JsonFile } from "./read-json.js";
import { readText } from "./source-files.js";

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
  const list = findList(outline, first);
  if (!Array.isArray(list))
    throw sourceError({ file }, "it has no list of objects", "use [ { … }, { … } ]");
  for (const [at, item] of list.entries()) {
    if (isRecord(item)) continue;
    yield { kind: "notImported", origin: { file }, reason: `item ${at + 1} is not an object` };
  }
}

/** The list that was read, in the outline of the file. */
function findList(outline: unknown, name: string | null): unknown {
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
    const id = KEYS.map((name) => values[name]).find(
      (value) => typeof value === "string" || typeof value === "number",
    );
    const key = id === undefined || id === "" ? JSON.stringify(values) : String(id);
    const short = key.length > MAX_KEPT ? sha256(key) : key;
    const count = (this.#seen.get(short) ?? 0) + 1;
    this.#seen.set(short, count);
    return count === 1 ? key : `${key}\n${count}`;
  }
}

const MAX_ROW = 4 * 1_048_576;
const rowSchema = z.object({
  record: z.record(z.string(), z.string()),
  info: z.object({ lines: z.number() }),
});

/** A row: values by column, and its line. */
interface CsvRow {
  readonly values: Readonly<Record<string, string>>;
  readonly line: number;
}

/** Yields the rows. The separator is a comma, or a semicolon or tab when the header has more of those. */
export async function* readCsv(path: string): AsyncGenerator<CsvRow> {
  const { parse, CsvError } = await loadOptional(() => import("csv-parse"), {
    plugin: "import",
    packages: ["csv-parse"],
    neededBy: `site import of ${JSON.stringify(basename(path))}`,
  });
  const file = basename(path);
  const text = readText(path);
  const first = await text.next();
  if (first.done === true) return;
  const header = first.value.split("\n", 1)[0] ?? "";
  const parser = parse({
    columns: true,
    bom: true,
    info: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW,
    delimiter: findDelimiter(header),
    relax_column_count: false,
  });
  // Passes errors on, and closes the file when the parser ends early.
  pipeline(Readable.from(whole(first.value, text)), parser, () => undefined);
  try {
    for await (const row of parser) {
      const { record, info } = rowSchema.parse(row);
      yield { values: record, line: info.lines };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = Number(/line (\d+)/.exec(error.message)?.[1] ?? 1);
    throw sourceError({ file, line }, `invalid CSV: ${error.message}`);
  }
}

async function* whole(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}

function findDelimiter(header: string): string {
  const counts = [",", ";", "\t"].map((mark) => ({ mark, count: header.split(mark).length }));
  return counts.toSorted((a, b) => b.count - a.count)[0]?.mark ?? ",";
}
