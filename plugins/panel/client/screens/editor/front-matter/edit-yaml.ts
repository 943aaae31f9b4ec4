/** Sets one key of a YAML map and leaves every other character as it is. */
import { isMap, isScalar, parseDocument, type Document, type Pair } from "yaml";
import { pairEdits, wholePair } from "./yaml-patch.js";
import { endOf, keyRange, lineEnd, type Source } from "./yaml-places.js";
import { isEqual, keyText, pairText, type Edit } from "./yaml-text.js";

/** The text with the key set; undefined removes it. `end`: line end of new lines in a text without any. */
export function editYaml(
  yaml: string,
  [key, value]: readonly [string, unknown],
  end: string,
): string {
  const document = parseDocument(yaml, { keepSourceTokens: true, version: "1.2" });
  const pair = pairOf(document.contents, key);
  if (pair === undefined) {
    return value === undefined ? yaml : appended(yaml, pairText(keyText(key), value), end);
  }
  if (value === undefined) return withoutPair(yaml, pair);
  const source = { text: yaml, document };
  const before = valuesOf(document);
  if (isEqual(before?.[key], value)) return yaml;
  const expected = { ...before, [key]: value };
  const tries = [() => pairEdits(source, pair, value), () => [wholePair(source, pair, value)]];
  for (const edits of tries) {
    const next = applied(source, edits(), yaml.includes("\r\n"));
    if (says(next, { key, expected })) return next;
  }
  return yaml;
}

/** True when the text has these values. Others may follow a changed anchor. */
function says(yaml: string, { key, expected }: { key: string; expected: Values }): boolean {
  const document = parseDocument(yaml, { version: "1.2" });
  const values = document.errors.length === 0 ? valuesOf(document) : null;
  if (values === null || !isEqual(values[key], expected[key])) return false;
  return yaml.includes("&") || isEqual(values, expected);
}

type Values = Readonly<Record<string, unknown>>;

function valuesOf(document: Document): Values | null {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch {
    return null;
  }
}

function applied({ text }: Source, edits: readonly Edit[], hasReturns: boolean): string {
  const sorted = edits.toSorted((a, b) => b.from - a.from);
  return sorted.reduce((all, { from, to, insert }) => {
    const lines = hasReturns ? insert.replace(/\r?\n/g, "\r\n") : insert;
    return all.slice(0, from) + lines + all.slice(to);
  }, text);
}

function pairOf(contents: unknown, name: string): Pair | undefined {
  if (!isMap(contents)) return undefined;
  return contents.items.find(({ key }) => isScalar(key) && String(key.value) === name);
}

function withoutPair(yaml: string, pair: Pair): string {
  const [start] = keyRange(pair);
  const next = yaml.indexOf("\n", lineEnd(yaml, endOf({ text: yaml }, pair)));
  return yaml.slice(0, start) + (next === -1 ? "" : yaml.slice(next + 1));
}

function appended(yaml: string, line: string, end: string): string {
  const gap = yaml === "" || yaml.endsWith("\n") ? "" : end;
  return `${yaml}${gap}${line.replaceAll("\n", end)}${end}`;
}
