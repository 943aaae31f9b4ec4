import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const file = fileURLToPath(new URL("RESULTS.md", import.meta.url));
const opening =
  "# Measurements\n\nEvery part is written by its own script in `bench/`. Ratios hold within one run on one machine; absolute values are that machine's.\n";

/** Replaces the part of bench/RESULTS.md called `name`, or adds it at the end. */
export async function writeSection(name: string, markdown: string): Promise<void> {
  const text = await readFile(file, "utf8").catch(() => opening);
  const [from, to] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const part = `${from}\n${markdown.trim()}\n${to}`;
  const [start, end] = [text.indexOf(from), text.indexOf(to)];
  const next = start >= 0 && end > start ? text.slice(0, start) + part + text.slice(end + to.length) : `${text.trimEnd()}\n\n${part}\n`;
  await writeFile(file, next);
}

/** Rows as a Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** A number as one reads it: three significant digits, no exponent. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return "-";
  const digits = value === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toFixed(Math.min(4, digits));
}
