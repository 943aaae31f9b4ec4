import type { Logger as Pino } from "pino";
import { cleanFields, cleanText } from "./clean-fields.js";
import { LineBatch } from "./line-batch.js";

/** Severity. */
export type LogLevel = "debug" | "info" | "warn" | "error";
/** Structured log: an event name (`content.rebuilt`) and its fields. */
export interface Logger {
  debug(event: string, fields?: Record<string, unknown>): void;
  info(event: string, fields?: Record<string, unknown>): void;
  warn(event: string, fields?: Record<string, unknown>): void;
  error(event: string, fields?: Record<string, unknown>): void;
  child(fields: Record<string, unknown>): Logger;
}

/** The output of lines. */
export interface LogDestination {
  write(line: string): unknown;
}
/** The form, the level and the output of a log. */
export interface LogOptions {
  format: "text" | "json";
  level: LogLevel;
  /** Default: standard output. */
  stream?: LogDestination;
}
/** A logger with an output of its own; `flush` writes buffered lines. */
export interface RootLogger extends Logger {
  flush(): void;
}

/** A logger: one line per event, secrets redacted, control characters removed from every string. */
export async function createLog(options: LogOptions): Promise<RootLogger> {
  // Commands that write no log do not load it.
  const { pino } = await import("pino");
  const stream = options.stream ?? (await destination(options.format, pino.destination));
  const base = pino(
    {
      level: options.level,
      messageKey: "event",
      base: undefined,
      timestamp: createTimestamp(),
      formatters: { level: (label) => ({ level: label }) },
    },
    stream,
  );
  const flush = (): void => {
    if ("flushSync" in stream && typeof stream.flushSync === "function") stream.flushSync();
  };
  return Object.assign(wrap(base), { flush });
}

/** The time of a line, ISO 8601; formatted at most once per millisecond. */
function createTimestamp(): () => string {
  const last = { at: -1, text: "" };
  return () => {
    const at = Date.now();
    if (at !== last.at) {
      last.at = at;
      last.text = `,"time":"${new Date(at).toISOString()}"`;
    }
    return last.text;
  };
}

/** Opens a stream of pino. */
type OpenStream = (typeof import("pino"))["destination"];

async function destination(format: "text" | "json", open: OpenStream): Promise<LogDestination> {
  if (format === "json") return (standardOutput.lines ??= openStandardOutput(open));
  const { default: pretty } = await import("pino-pretty");
  return pretty({
    colorize: process.stdout.isTTY === true,
    messageKey: "event",
    translateTime: "HH:MM:ss",
    ignore: "pid,hostname",
    singleLine: true,
    // Printed below the line, one frame a line.
    errorLikeObjectKeys: ["stack"],
    customPrettifiers: {
      stack: (lines: unknown) => (Array.isArray(lines) ? lines.join("\n") : String(lines)),
    },
  });
}

/** The output of JSON lines, shared by all loggers of this process. */
const standardOutput: { lines: LineBatch | null } = { lines: null };

function openStandardOutput(open: OpenStream): LineBatch {
  const lines = new LineBatch(open({ fd: 1, sync: false }));
  // Before pino's own listeners, which flush and close the stream below.
  process.prependListener("beforeExit", () => lines.handOn());
  process.prependListener("exit", () => lines.handOn());
  return lines;
}

function wrap(logger: Pino): Logger {
  return {
    debug: (event, fields) => logger.debug(cleanFields(fields), cleanText(event)),
    info: (event, fields) => logger.info(cleanFields(fields), cleanText(event)),
    warn: (event, fields) => logger.warn(cleanFields(fields), cleanText(event)),
    error: (event, fields) => logger.error(cleanFields(fields), cleanText(event)),
    child: (fields) => wrap(logger.child(cleanFields(fields))),
  };
}

/** A logger that discards everything: for tests and one-shot commands. */
export const silentLog: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLog,
};
