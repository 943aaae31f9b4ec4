import type { Logger, LogLevel } from "#lib/log";

/** A line of the log. */
export interface LogLine {
  level: LogLevel;
  /** `hook.failed`. */
  event: string;
  /** Including the fields of its child loggers. */
  fields: Record<string, unknown>;
}

/** A log that records its lines for assertions. */
export class RecordedLog {
  readonly lines: LogLine[] = [];
  /** The logger to pass to the site. */
  readonly logger: Logger = this.#child({});

  /** The lines of one event. */
  of(event: string): readonly LogLine[] {
    return this.lines.filter((line) => line.event === event);
  }

  #child(own: Record<string, unknown>): Logger {
    const at =
      (level: LogLevel) =>
      (event: string, fields: Record<string, unknown> = {}): void =>
        void this.lines.push({ level, event, fields: { ...own, ...fields } });
    return {
      debug: at("debug"),
      info: at("info"),
      warn: at("warn"),
      error: at("error"),
      child: (fields) => this.#child({ ...own, ...fields }),
    };
  }
}
