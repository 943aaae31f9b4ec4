/** Recorded command output, for tests without a terminal. */
import type { Output } from "#kernel";

/** Records lines, JSON and errors. */
export function commandOutput(): {
  out: Output;
  lines: string[];
  json: unknown[];
  errors: string[];
} {
  const printed = { lines: [] as string[], json: [] as unknown[], errors: [] as string[] };
  const same = (text: string): string => text;
  const out: Output = {
    line: (text = "") => void printed.lines.push(text),
    json: (value) => void printed.json.push(value),
    error: (text) => void printed.errors.push(text),
    progress: () => ({ tick: () => undefined, end: () => undefined }),
    colour: { bold: same, dim: same, green: same, red: same, yellow: same, cyan: same },
  };
  return { out, ...printed };
}
