/** Streams the rows of a CSV file with a header. */
import { basename } from "node:path";
import { Readable } from "node:stream";
import { z } from "zod";
import { loadOptional } from "#lib/packages";
import { sourceError } from "../errors.js";
import { readText } from "./read-text.js";

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
    delimiter: delimiterOf(header),
    relax_column_count: false,
  });
  const source = Readable.from(whole(first.value, text));
  // A pipe does not pass errors on.
  source.on("error", (error) => parser.destroy(error));
  source.pipe(parser);
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

function delimiterOf(header: string): string {
  const counts = [",", ";", "\t"].map((mark) => ({ mark, count: header.split(mark).length }));
  return counts.toSorted((a, b) => b.count - a.count)[0]?.mark ?? ",";
}
