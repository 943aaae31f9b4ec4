import type { Logger } from "#kernel";

const MAX_WARNINGS = 100;

/** A log that collects the errors of each page, and little else. */
export class FailureLog implements Logger {
  readonly #byPath: Map<string, string>;
  readonly #warnings: string[];
  #problems: { page: string; message: string }[] = [];

  constructor() {
    this.#byPath = new Map();
    this.#warnings = [];
  }

  /**
   * What failed since the last call while pages were rendered: the source path of a page and why its body is
   * missing, or the plugin whose part is missing.
   */
  takeProblems(): { page: string; message: string }[] {
    const problems = this.#problems;
    if (problems.length > 0) this.#problems = [];
    return problems;
  }

  /** Errors for this path since the last call, or null. */
  take(path: string): string | null {
    const message = this.#byPath.get(path) ?? null;
    this.#byPath.delete(path);
    return message;
  }

  /** Warnings of the site during boot and indexing. */
  get warnings(): readonly string[] {
    return this.#warnings;
  }

  debug(): void {
    // Irrelevant to an export.
  }

  info(): void {
    // Irrelevant to an export.
  }

  warn(event: string, fields: Record<string, unknown> = {}): void {
    if (this.#warnings.length < MAX_WARNINGS)
      this.#warnings.push(`${event} ${JSON.stringify(fields)}`);
  }

  error(event: string, fields: Record<string, unknown> = {}): void {
    const { path, error, message, sourcePath } = fields;
    if (event === "request.failed") this.#byPath.set(String(path), String(error));
    else if (event === "markdown.failed")
      this.#problems.push({ page: String(sourcePath), message: String(message) });
    else if (event === "hook.failed" || event === "extension.failed") {
      const { plugin, hook, list, key } = fields;
      const part = key === undefined ? String(list) : `${String(list)} ${String(key)}`;
      const place = event === "hook.failed" ? `hook ${String(hook)}` : `list ${part}`;
      this.#problems.push({
        page: `plugin ${String(plugin)}`,
        message: `${place}: ${String(error)}`,
      });
    } else this.warn(event, fields);
  }

  child(): Logger {
    return this;
  }
}
