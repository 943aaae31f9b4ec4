import type { Logger } from "#kernel";

const MOST_WARNINGS = 100;

/** A log that keeps what went wrong with each page, and little else. */
export class FailureLog implements Logger {
  readonly #byPath: Map<string, string>;
  readonly #warnings: string[];
  #problems: { page: string; message: string }[] = [];

  constructor() {
    this.#byPath = new Map();
    this.#warnings = [];
  }

  /** Pages whose body could not be rendered since the last question, by source path. */
  takeProblems(): { page: string; message: string }[] {
    const problems = this.#problems;
    if (problems.length > 0) this.#problems = [];
    return problems;
  }

  /** What went wrong since the last question about this path; null when nothing did. */
  take(path: string): string | null {
    const message = this.#byPath.get(path) ?? null;
    this.#byPath.delete(path);
    return message;
  }

  /** What the site warned of while it was booted and read. */
  get warnings(): readonly string[] {
    return this.#warnings;
  }

  debug(): void {
    // Of no use to an export.
  }

  info(): void {
    // Of no use to an export.
  }

  warn(event: string, fields: Record<string, unknown> = {}): void {
    if (this.#warnings.length < MOST_WARNINGS)
      this.#warnings.push(`${event} ${JSON.stringify(fields)}`);
  }

  error(event: string, fields: Record<string, unknown> = {}): void {
    const { path, error, message, sourcePath } = fields;
    if (event === "request.failed") this.#byPath.set(String(path), String(error));
    else if (event === "markdown.failed")
      this.#problems.push({ page: String(sourcePath), message: String(message) });
    else this.warn(event, fields);
  }

  child(): Logger {
    return this;
  }
}
