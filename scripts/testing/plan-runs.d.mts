/** The files that start no server and set no time limit of more than a minute. */
export function quickFiles(root: string, files: readonly string[]): string[];
/** One run for each file, longest first. */
export function planRuns(root: string, files: readonly string[]): string[][];
