import { relative } from "node:path";
import type { Writable } from "node:stream";
import picocolors from "picocolors";
import { errorCode } from "#lib/errors";

/** Terminal output; coloured on a terminal, plain when piped. */
export interface Output {
  line(text?: string): void;
  json(value: unknown): void;
  error(text: string): void;
  /** A progress line on stderr; silent when piped. */
  progress(
    label: string,
    total: number,
  ): { tick(done: number, note?: string): void; end(note?: string): void };
  readonly colour: {
    bold(text: string): string;
    dim(text: string): string;
    green(text: string): string;
    red(text: string): string;
    yellow(text: string): string;
    cyan(text: string): string;
  };
}

/** Where the output goes: the streams of the process, or those of a test. */
interface Streams {
  out: Writable & { isTTY?: boolean };
  err: Writable & { isTTY?: boolean };
}

/** Terminal output: coloured on a terminal, plain when piped or NO_COLOR is set. */
export function createOutput(
  streams: Streams = { out: process.stdout, err: process.stderr },
): Output {
  const colours = picocolors.createColors(
    streams.out.isTTY === true && picocolors.isColorSupported,
  );
  const line = (text = ""): void => void streams.out.write(`${text}\n`);
  return {
    line,
    json: (value) => line(JSON.stringify(value, null, 2)),
    error: (text) => void streams.err.write(`${text}\n`),
    progress: (label, total) => createProgress(streams.err, label, total),
    colour: colours,
  };
}

/** A line per row, with cells of one width per column. */
export function formatTable(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

/**
 * Lets a command finish after the reader of its output has closed it (`site … | head -1`), with its own
 * exit code. A server also survives a full disk below its output.
 */
export function surviveClosedOutput({ isServing }: { isServing: boolean }): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error) => {
      if (!isServing && errorCode(error) !== "EPIPE") throw error;
    });
  }
}

/** A line that is overwritten as work progresses; disabled when the stream is not a terminal. */
function createProgress(stream: Streams["err"], label: string, total: number) {
  const width = 24;
  const draw = (done: number, note: string): void => {
    if (stream.isTTY !== true) return;
    const filled = total === 0 ? width : Math.round((Math.min(done, total) / total) * width);
    const bar = "█".repeat(filled) + "░".repeat(width - filled);
    stream.write(`\r\u001b[2K${label} ${bar} ${done}/${total} ${note}`);
  };
  return {
    tick: (done: number, note = ""): void => draw(done, note),
    end: (note = ""): void => {
      if (stream.isTTY === true)
        stream.write(`\r\u001b[2K${note === "" ? "" : `${label} ${note}\n`}`);
    },
  };
}

/** A path for people in the current folder: relative to it when that is shorter. `path`: absolute. */
export function pathFromHere(path: string): string {
  const near = relative(process.cwd(), path) || ".";
  return near.length < path.length ? near : path;
}

/** A path as an argument of a shell command, quoted where it has to be. */
export function quotedPath(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
