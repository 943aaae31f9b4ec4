import { SiteError } from "#kernel";
import type { Page } from "../../content/contract.js";
import type { MarkdownProblem } from "../contract.js";

type Details = Pick<MarkdownProblem, "message" | "key" | "value" | "fix">;

/** What is wrong with the shortcodes of each page, since it was last rendered. */
export class ShortcodeProblems {
  readonly #bySource = new Map<string, MarkdownProblem[]>();
  readonly #logged = new Map<string, string>();
  readonly #log: (problem: MarkdownProblem) => void;

  constructor(log: (problem: MarkdownProblem) => void) {
    this.#log = log;
  }

  start({ entry, isPreview }: Page): void {
    if (isPreview !== true) this.#bySource.delete(entry.sourcePath);
  }

  /** `line`: in the body. Returns null, for callers without a result. */
  add({ entry, raw, body, isPreview }: Page, line: number, details: Details): null {
    if (isPreview === true) return null;
    const { sourcePath } = entry;
    const above = raw.slice(0, raw.length - body.length).split("\n").length - 1;
    const list = this.#bySource.get(sourcePath) ?? [];
    list.push({ sourcePath, code: "ERR_MARKDOWN_SHORTCODE", line: above + line, ...details });
    this.#bySource.set(sourcePath, list);
    return null;
  }

  /** Logs what is new. */
  finish({ entry, isPreview }: Page): void {
    if (isPreview === true) return;
    const problems = this.#bySource.get(entry.sourcePath) ?? [];
    const print = JSON.stringify(problems);
    if (this.#logged.get(entry.sourcePath) === print) return;
    this.#logged.set(entry.sourcePath, print);
    for (const problem of problems) this.#log(problem);
  }

  list(): readonly MarkdownProblem[] {
    return [...this.#bySource.values()].flat();
  }
}

/** The error of a plugin that adds an invalid shortcode. */
export function shortcodeError(message: string): SiteError {
  return new SiteError("ERR_MARKDOWN_SHORTCODE", `shortcode: ${message}`, {
    fix: "use another name of lower-case letters, and fields of the field language as params",
  });
}
