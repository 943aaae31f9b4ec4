import { readFile, writeFile } from "node:fs/promises";
import { cpus, totalmem } from "node:os";
import { fileURLToPath, pathToFileURL } from "node:url";

const file = fileURLToPath(new URL("../RESULTS.md", import.meta.url));
const opening =
  "# Measurements\n\nEvery part is written by its own script in `bench/`. Ratios hold within one run on one machine; absolute values are that machine's.\n";

/** Replaces the section `name` of bench/RESULTS.md, or appends it. */
export async function writeSection(name: string, markdown: string): Promise<void> {
  const text = await readFile(file, "utf8").catch(() => opening);
  const [from, to] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const part = `${from}\n${markdown.trim()}\n${to}`;
  const [start, end] = [text.indexOf(from), text.indexOf(to)];
  const next =
    start >= 0 && end > start
      ? text.slice(0, start) + part + text.slice(end + to.length)
      : `${text.trimEnd()}\n\n${part}\n`;
  await writeFile(file, next);
}

/** Rows as a Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Formats a number with three significant digits and no exponent. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return "-";
  const digits = value === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toFixed(Math.min(4, digits));
}

/** The median. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Date, CPU, memory and Node version of this run, for the start of a section. */
export function machine(): string {
  const date = new Date().toISOString().slice(0, 10);
  const model = cpus()[0]?.model.trim() || "unknown processor";
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${date}, ${model}, ${cpus().length} cores, ${memory} GB, Node ${process.version}`;
}

/** Runs `work` if the module is the main program, not imported by `bench/run.ts`. */
export async function runAsScript(url: string, work: () => Promise<void>): Promise<void> {
  if (url === pathToFileURL(process.argv[1] ?? "").href) await work();
}
