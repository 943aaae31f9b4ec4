import pino, { type DestinationStream, type Logger as Pino } from "pino";
import type { Logger, LogLevel } from "./contracts.js";

/** Longest logged string, in characters. */
const LONGEST = 256;
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;
const REDACTED = [
  "token",
  "code",
  "password",
  "secret",
  "authorization",
  "cookie",
  "apiKey",
  "clientSecret",
];

/** How the site logs (specification: `system.logging`). */
export interface LogOptions {
  format: "text" | "json";
  level: LogLevel;
  /** Default: standard output. */
  stream?: DestinationStream;
}

/** A logger: one line per event, secrets redacted, control characters taken out of every string. */
export async function createLog(options: LogOptions): Promise<Logger> {
  const stream = options.stream ?? (await destination(options.format));
  const base = pino(
    {
      level: options.level,
      messageKey: "event",
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: REDACTED.flatMap((key) => [key, `*.${key}`]), censor: "[redacted]" },
    },
    stream,
  );
  return wrap(base);
}

async function destination(format: "text" | "json"): Promise<DestinationStream> {
  if (format === "json") return pino.destination({ fd: 1, sync: false, minLength: 0 });
  const { default: pretty } = await import("pino-pretty");
  return pretty({
    colorize: process.stdout.isTTY === true,
    messageKey: "event",
    translateTime: "HH:MM:ss",
    ignore: "pid,hostname",
    singleLine: true,
  });
}

function wrap(logger: Pino): Logger {
  return {
    debug: (event, fields) => logger.debug(clean(fields), cleanText(event)),
    info: (event, fields) => logger.info(clean(fields), cleanText(event)),
    warn: (event, fields) => logger.warn(clean(fields), cleanText(event)),
    error: (event, fields) => logger.error(clean(fields), cleanText(event)),
    child: (fields) => wrap(logger.child(clean(fields))),
  };
}

function clean(fields: Record<string, unknown> = {}): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const key in fields) {
    const value = fields[key];
    result[key] = typeof value === "string" ? cleanText(value) : value;
  }
  return result;
}

function cleanText(text: string): string {
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return cut.replace(
    CONTROL,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A logger that says nothing: for tests and one-shot commands. */
export const silentLog: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLog,
};
