/** Problems of the tree itself: links, and folders or files that cannot be read. */
import type { ContentProblem } from "../contract.js";
import { isAtOrBelow } from "../read/source-name.js";

interface WithProblems {
  readonly treeProblems: readonly ContentProblem[];
}

/** The problems after re-reading paths: new results replace earlier ones of these paths. */
export function afterPaths(
  { treeProblems }: WithProblems,
  { looked, problems }: { looked: readonly string[]; problems: readonly ContentProblem[] },
): readonly ContentProblem[] {
  const others = treeProblems.filter(
    ({ sourcePath }) => !looked.some((path) => isAtOrBelow(sourcePath, path)),
  );
  return [...others, ...problems];
}

/** The problems after re-reading all files but no folders: those of links and folders remain. */
export function afterFiles(
  { treeProblems }: WithProblems,
  problems: readonly ContentProblem[],
): readonly ContentProblem[] {
  return [...treeProblems.filter(({ code }) => code !== "ERR_CONTENT_READ"), ...problems];
}

/** True when both contain the same problems, in any order. */
export function isSameList(a: readonly ContentProblem[], b: readonly ContentProblem[]): boolean {
  if (a.length !== b.length) return false;
  const known = new Set(a.map((problem) => JSON.stringify(problem)));
  return b.every((problem) => known.has(JSON.stringify(problem)));
}
