/** What a text changes of a page: per field, and per paragraph of the body. */
import { isDeepStrictEqual } from "node:util";
import { frontMatterClosing, frontMatterOpening } from "#lib/front-matter";
import { lineChanges } from "#lib/text";

/** A key of the front matter whose value differs; null: the version has no such key. */
interface FieldChange {
  readonly name: string;
  /** The label of its field; the name of a key without one. */
  readonly label: string;
  readonly before: unknown;
  readonly after: unknown;
}
/** Paragraphs that differ, at one place; null: the version has none there. */
interface PlaceChange {
  readonly kind: "change";
  readonly before: string | null;
  readonly after: string | null;
}
/** Equal paragraphs between two changes. */
interface EqualPlace {
  readonly kind: "equal";
  /** The number of equal paragraphs. */
  readonly count: number;
}
/** A part of a comparison, in the order of the text. */
type TextPlace = PlaceChange | EqualPlace;

/** The differences of the front matter, in the order of the new version; removed keys last. */
export function fieldChanges(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  labels: ReadonlyMap<string, string>,
): FieldChange[] {
  const names = [...new Set([...Object.keys(after), ...Object.keys(before)])];
  return names
    .filter((name) => !isDeepStrictEqual(before[name], after[name]))
    .map((name) => ({
      name,
      label: labels.get(name) ?? name,
      before: before[name] ?? null,
      after: after[name] ?? null,
    }));
}

/** The differences of two bodies, paragraph by paragraph. Blank lines and line ends do not count. */
export function bodyChanges(before: string, after: string): TextPlace[] {
  const places: TextPlace[] = [];
  let [removed, added]: [string[], string[]] = [[], []];
  const settle = (): void => {
    const count = Math.max(removed.length, added.length);
    for (let at = 0; at < count; at += 1) {
      places.push({ kind: "change", before: removed[at] ?? null, after: added[at] ?? null });
    }
    [removed, added] = [[], []];
  };
  for (const run of lineChanges(paragraphs(before), paragraphs(after))) {
    if (run.removed) removed.push(...run.value);
    else if (run.added) added.push(...run.value);
    else if (run.value.length > 0) {
      settle();
      places.push({ kind: "equal", count: run.value.length });
    }
  }
  settle();
  return places;
}

/** The body of a page's text: what follows its front matter. */
export function bodyOf(text: string): string {
  const opening = frontMatterOpening(text);
  if (opening === null) return text;
  const closing = frontMatterClosing(text, opening.length, opening.mark);
  return closing === null ? text : text.slice(closing.end);
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** Parts between blank lines; the blank lines of a fenced code block belong to it. */
function paragraphs(body: string): string[] {
  const found: string[] = [];
  let lines: string[] = [];
  let fence: string | null = null;
  const finish = (): void => {
    if (lines.length > 0) found.push(lines.join("\n"));
    lines = [];
  };
  for (const line of body.split(/\r\n?|\n/)) {
    if (fence === null && line.trim() === "") {
      finish();
      continue;
    }
    lines.push(line.trimEnd());
    const mark = FENCE.exec(line)?.[1];
    if (mark === undefined) continue;
    if (fence === null) fence = mark;
    else if (mark.startsWith(fence) && line.trim() === mark) fence = null;
  }
  finish();
  return found;
}
