import type { MarkdownProblem } from "./contract.js";

/** The last problem of each source file that could not be rendered as it should. */
export class ProblemList {
  readonly #problems = new Map<string, { problem: MarkdownProblem; hash: string }>();

  /** Notes a problem of the text with this hash; false when the same one is noted already. */
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
