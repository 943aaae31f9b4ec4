/** Tests affected by what differs from `commit` in the working tree, relative to the root. */
export function changedTests(root: string, commit?: string): string[];
/** Tests that reach a changed file, or are in the folder of its tests. */
export function affectedTests(
  changed: readonly string[],
  imports: ReadonlyMap<string, ReadonlySet<string>>,
): string[];
