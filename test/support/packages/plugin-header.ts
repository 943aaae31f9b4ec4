// The doc comment at the top of a plugin's index.ts: a sentence, then labelled lists of names.
import { filesOf, textOf } from "../repository.js";

const labels = ["Provides", "Uses", "Opens", "Adds", "Fires", "Handles"] as const;
const lineLimit = 8;

/** The names in a header, and its formal errors. */
export type Header = Record<(typeof labels)[number], string[]> & { problems: string[] };

/** Parses the header of an index.ts. A list contains names separated by commas; brackets explain one. */
export function parseHeader(source: string): Header {
  const header: Header = {
    Provides: [],
    Uses: [],
    Opens: [],
    Adds: [],
    Fires: [],
    Handles: [],
    problems: [],
  };
  const lines = headerLines(source);
  if (lines.length === 0) header.problems.push("the file does not open with a doc comment");
  if (lines.length > lineLimit) header.problems.push(`it has ${lines.length} lines`);
  const entries = joinContinued(lines);
  if (!/^[A-Z].*\.$/s.test(entries[0] ?? ""))
    header.problems.push("it does not open with a sentence");
  const order = entries.slice(1).map((entry) => addEntry(header, entry));
  if (order.some((place, index) => place <= (order[index - 1] ?? -1))) {
    header.problems.push(`its lists are not in the order ${labels.join(", ")}`);
  }
  return header;
}

/** The code of a plugin as one text, without comments. */
export function codeWithNames(plugin: string): string {
  return filesOf(`plugins/${plugin}/**/*.{ts,tsx}`)
    .map((file) =>
      // Strings first: an address such as "/static/*path" begins no comment.
      textOf(file).replace(/("(?:[^"\\\n]|\\.)*")|\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "$1"),
    )
    .join("\n");
}

function headerLines(source: string): string[] {
  const comment = /^\/\*\*([\s\S]*?)\*\//.exec(source)?.[1] ?? "";
  return comment
    .split("\n")
    .map((line) => line.replace(/^\s*\*?\s?/, "").trim())
    .filter((line) => line !== "");
}

function joinContinued(lines: string[]): string[] {
  const entries: string[] = [];
  for (const line of lines) {
    const isNew = entries.length === 0 || labels.some((label) => line.startsWith(`${label}:`));
    if (isNew) entries.push(line);
    else entries.push(`${entries.pop()} ${line}`);
  }
  return entries;
}

function addEntry(header: Header, entry: string): number {
  const place = labels.findIndex((label) => entry.startsWith(`${label}:`));
  const label = labels[place];
  if (label === undefined) return place;
  header[label] = entry
    .slice(label.length + 1)
    .replace(/\([^)]*\)/g, "")
    .replace(/\.$/, "")
    .split(/[,;]/)
    .map((name) => name.trim().replaceAll("`", ""))
    .filter((name) => name !== "");
  if (header[label].length === 0) header.problems.push(`${label} is empty: leave it out`);
  return place;
}
