import type { MarkdownProblem } from "../contract.js";
import type { ContentService, Page, PageEntry } from "../../content/contract.js";
import { isLoose } from "../parse/loose-page.js";

/** The latest problem of each source file that could not be rendered. */
export class ProblemList {
  readonly #problems = new Map<string, { problem: MarkdownProblem; hash: string }>();

  /** Records a problem of the text with this hash; false if it is already recorded. */
  report(problem: MarkdownProblem, hash: string): boolean {
    const { sourcePath, code, message } = problem;
    const before = this.#problems.get(sourcePath);
    const isSame = before?.problem.code === code && before.problem.message === message;
    this.#problems.set(sourcePath, { problem, hash });
    return !isSame || before?.hash !== hash;
  }

  clear(sourcePath: string): void {
    this.#problems.delete(sourcePath);
  }

  list(): readonly MarkdownProblem[] {
    return [...this.#problems.values()].map(({ problem }) => problem);
  }
}

type Details = Pick<MarkdownProblem, "message" | "key" | "value" | "fix">;

/** Dependencies of a list of problems. */
interface PageProblemsOptions {
  code: string;
  content: Pick<ContentService, "generation">;
  log(problem: MarkdownProblem): void;
}

interface Found {
  readonly hash: string;
  readonly problems: MarkdownProblem[];
}

/** Collects the problems of one kind of syntax in each page since its last rendering. */
export class PageProblems {
  readonly #options: PageProblemsOptions;
  readonly #bySource = new Map<string, Found>();
  readonly #logged = new Map<string, string>();

  constructor(options: PageProblemsOptions) {
    this.#options = options;
  }

  start({ entry, isPreview }: Page): void {
    if (isPreview === true || isLoose(entry)) return;
    this.#bySource.delete(entry.sourcePath);
  }

  /** `line`: in the body. Returns null, for callers without a result. */
  add({ entry, raw, body, isPreview }: Page, line: number, details: Details): null {
    if (isPreview === true || isLoose(entry)) return null;
    const { sourcePath, hash } = entry;
    const above = raw.slice(0, raw.length - body.length).split("\n").length - 1;
    const listed = this.#bySource.get(sourcePath) ?? { hash, problems: [] };
    const { code } = this.#options;
    listed.problems.push({ sourcePath, code, line: above + line, ...details });
    this.#bySource.set(sourcePath, listed);
    return null;
  }

  /** Logs what is new. */
  finish({ entry, isPreview }: Page): void {
    if (isPreview === true) return;
    const { problems = [] } = this.#bySource.get(entry.sourcePath) ?? {};
    const print = JSON.stringify(problems);
    if (this.#logged.get(entry.sourcePath) === print) return;
    this.#logged.set(entry.sourcePath, print);
    for (const problem of problems) this.#options.log(problem);
  }

  /** Those of the current text of each page. */
  list(): readonly MarkdownProblem[] {
    const { bySource } = this.#options.content.generation();
    const isCurrent = ([path, { hash }]: [string, Found]): boolean =>
      (bySource.get(path) as PageEntry | undefined)?.hash === hash;
    return [...this.#bySource].filter(isCurrent).flatMap(([, { problems }]) => problems);
  }
}
