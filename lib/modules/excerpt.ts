import { readFileSync } from "node:fs";

/** Lines of context before and after the marked line. */
const AROUND = 3;
const MAX_LINE = 200;

/** The lines around a line, which is marked; null for a file that cannot be read. */
export function excerptOf(file: string, line: number): string | null {
  try {
    const lines = readFileSync(file, "utf8").split(/\r?\n/);
    const first = Math.max(0, line - 1 - AROUND);
    const width = String(line + AROUND).length;
    return lines
      .slice(first, line + AROUND)
      .map((text, index) => {
        const number = first + index + 1;
        const mark = number === line ? ">" : " ";
        return `${mark} ${String(number).padStart(width)} | ${text.slice(0, MAX_LINE)}`;
      })
      .join("\n");
  } catch {
    return null;
  }
}
