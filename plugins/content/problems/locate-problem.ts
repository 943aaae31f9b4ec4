/** Line and key of a problem, where only one of them is known. */
import { closeSync, openSync, readSync } from "node:fs";
import type { ContentProblem } from "../contract.js";
import { findFrontMatter } from "../read/front-matter/fences.js";

/** Front matter is no longer than this, in bytes. */
const READ_BYTES = 64 * 1024;
const KEY = /^(?:"([^"]+)"|'([^']+)'|([\w.-]+))\s*[:=]/;

/** The problem with line and key, as far as the front matter of `file`, or a file of the site root, names them. */
export function locateProblem(problem: ContentProblem, file: string): ContentProblem {
  const { line, key } = problem;
  if ((line === undefined) === (key === undefined)) return problem;
  const lines = problem.isInRoot === true ? linesOf(headOf(file)) : frontMatterLines(file);
  if (key !== undefined) {
    const index = lines.findIndex((text) => keyOf(text) === key);
    return index === -1 ? problem : { ...problem, line: index + 1 };
  }
  const above = lines.slice(0, line).findLast((text) => keyOf(text) !== undefined);
  const found = above === undefined ? undefined : keyOf(above);
  return found === undefined ? problem : { ...problem, key: found };
}

function keyOf(line: string): string | undefined {
  const match = KEY.exec(line);
  return match?.[1] ?? match?.[2] ?? match?.[3];
}

/** The lines of the file up to the end of its front matter; empty without readable front matter. */
function frontMatterLines(file: string): string[] {
  const head = headOf(file);
  const range = findFrontMatter(head);
  if (range === null) return [];
  return linesOf(head.subarray(0, "isUnclosed" in range ? head.length : range.end));
}

function linesOf(bytes: Buffer): string[] {
  return bytes.toString("utf8").split(/\r?\n/);
}

function headOf(file: string): Buffer {
  try {
    const handle = openSync(file, "r");
    try {
      const buffer = Buffer.alloc(READ_BYTES);
      return buffer.subarray(0, readSync(handle, buffer, 0, READ_BYTES, 0));
    } finally {
      closeSync(handle);
    }
  } catch {
    return Buffer.alloc(0);
  }
}
