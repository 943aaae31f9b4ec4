import { createTwoFilesPatch } from "diff";

/** A file before and after a change; null: it is missing, or not text. */
export interface ShownChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Texts with more differing lines are shown as replaced. */
const MAX_EDITS = 2_000;

/** Changes as one unified diff; empty when nothing changes. */
export function unifiedDiff(changes: readonly ShownChange[]): string {
  return changes
    .filter(({ before, after }) => before !== after)
    .map((change) => patchOf(change))
    .join("");
}

function patchOf({ path, before, after }: ShownChange): string {
  const [from, to] = [before === null ? "/dev/null" : path, after === null ? "/dev/null" : path];
  // oxlint-disable-next-line max-params -- the signature of the package
  const patch = createTwoFilesPatch(from, to, before ?? "", after ?? "", "", "", {
    context: 3,
    maxEditLength: MAX_EDITS,
  });
  return (
    patch?.replace(/^(?:Index: .*\n)?=+\n/, "") ??
    `--- ${from}\n+++ ${to}\n${lines("-", before)}${lines("+", after)}`
  );
}

function lines(mark: string, text: string | null): string {
  return (text ?? "")
    .split("\n")
    .map((line) => `${mark}${line}\n`)
    .join("");
}
