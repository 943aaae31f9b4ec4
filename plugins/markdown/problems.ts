import type { MarkdownProblem } from "./contract.js";

/** The last problem of each source file that could not be rendered as it should. */
export class ProblemList {
  readonly #problems = new Map<string, MarkdownProblem>();

  report(problem: MarkdownProblem): void {
    this.#problems.set(problem.sourcePath, problem);
  }

  clear(sourcePath: string): void {
    this.#problems.delete(sourcePath);
  }

  list(): readonly MarkdownProblem[] {
    return [...this.#problems.values()];
  }
}
