import { lineChanges } from "#kernel/internal";
import type { DiffLine } from "./contract.js";

/** The line diff of two texts. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  let [oldLine, newLine] = [0, 0];
  return lineChanges(old, now).flatMap(({ value, added, removed }) =>
    value.map((text): DiffLine => {
      if (removed) return { kind: "removed", text, oldLine: ++oldLine, newLine: null };
      if (added) return { kind: "added", text, oldLine: null, newLine: ++newLine };
      return { kind: "same", text, oldLine: ++oldLine, newLine: ++newLine };
    }),
  );
}

function linesOf(text: string): string[] {
  if (text === "") return [];
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
