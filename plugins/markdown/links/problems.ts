import type { MarkdownProblem } from "../contract.js";

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
