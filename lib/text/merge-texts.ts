import { diffArrays } from "diff/lib/diff/array.js";

/** The names of the two sides in conflict marks. */
export interface MergeLabels {
  readonly ours: string;
  readonly theirs: string;
}

/** Two texts that were made from the same one. */
export interface MergeInput {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
  /** Names beside the conflict markers. */
  readonly labels?: MergeLabels;
}
/** A merged text; with conflicts, both versions of the overlapping lines stand between markers. */
export interface MergedText {
  readonly text: string;
  readonly conflicts: number;
}

/** Lines `start` to `end` of the base become `text`. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}
/** Edits of both sides that touch one another. */
interface Place {
  readonly start: number;
  end: number;
  readonly ours: Edit[];
  readonly theirs: Edit[];
}

/** A part of a merge, in order: lines that are settled, or two versions of the same place. */
export type MergePart =
  | { readonly kind: "merged"; readonly text: string }
  | { readonly kind: "conflict"; readonly ours: string; readonly theirs: string };

/**
 * Merges line by line, as git does: edits of different lines are both applied, equal ones once. Edits of
 * the same or of neighbouring lines are a conflict.
 */
export function mergeTexts({ labels, ...input }: MergeInput): MergedText {
  const parts = mergeParts(input);
  const names = labels ?? { ours: "ours", theirs: "theirs" };
  return {
    text: parts
      .map((part) => (part.kind === "merged" ? part.text : marked(part.ours, part.theirs, names)))
      .join(""),
    conflicts: parts.filter(({ kind }) => kind === "conflict").length,
  };
}

/** The same merge as `mergeTexts`, place by place. */
export function mergeParts({ base, ours, theirs }: Omit<MergeInput, "labels">): MergePart[] {
  const lines = linesOf(base);
  const parts: MergePart[] = [];
  let merged = "";
  const settle = (): void => {
    if (merged !== "") parts.push({ kind: "merged", text: merged });
    merged = "";
  };
  let at = 0;
  for (const place of placesOf(editsOf(lines, ours), editsOf(lines, theirs))) {
    merged += lines.slice(at, place.start).join("");
    const own = applied(lines, place, place.ours);
    const other = applied(lines, place, place.theirs);
    const lone = place.theirs.length === 0 ? own : place.ours.length === 0 ? other : null;
    if (lone !== null || own === other) merged += lone ?? own;
    else {
      settle();
      parts.push({ kind: "conflict", ours: own, theirs: other });
    }
    at = place.end;
  }
  merged += lines.slice(at).join("");
  settle();
  return parts;
}

/** Two texts without a common origin: every difference is a conflict. */
export function differingParts(ours: string, theirs: string): MergePart[] {
  const parts: MergePart[] = [];
  let [own, other] = ["", ""];
  const settle = (): void => {
    if (own !== other) parts.push({ kind: "conflict", ours: own, theirs: other });
    [own, other] = ["", ""];
  };
  for (const { value, added, removed } of lineChanges(linesOf(ours), linesOf(theirs))) {
    const text = value.join("");
    if (removed) own += text;
    else if (added) other += text;
    else if (text !== "") {
      settle();
      parts.push({ kind: "merged", text });
    }
  }
  settle();
  return parts;
}

/** With their line ends, so that nothing is lost. */
function linesOf(text: string): string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}

function editsOf(base: readonly string[], text: string): Edit[] {
  const edits: Edit[] = [];
  let [at, start] = [0, 0];
  let added: string[] = [];
  const finish = (): void => {
    if (at > start || added.length > 0) edits.push({ start, end: at, text: added.join("") });
  };
  for (const { value, added: isAdded, removed } of lineChanges(base, linesOf(text))) {
    if (isAdded) added.push(value.join(""));
    else if (removed) at += value.length;
    else if (value.length > 0) {
      finish();
      at += value.length;
      [start, added] = [at, []];
    }
  }
  finish();
  return edits;
}

/** Groups edits that overlap or touch, in the order of the base. */
function placesOf(ours: readonly Edit[], theirs: readonly Edit[]): Place[] {
  const all = [
    ...ours.map((edit) => ({ edit, isOurs: true })),
    ...theirs.map((edit) => ({ edit, isOurs: false })),
  ].toSorted((a, b) => a.edit.start - b.edit.start || a.edit.end - b.edit.end);
  const places: Place[] = [];
  for (const { edit, isOurs } of all) {
    let place = places.at(-1);
    if (place === undefined || edit.start > place.end) {
      place = { start: edit.start, end: edit.end, ours: [], theirs: [] };
      places.push(place);
    }
    place.end = Math.max(place.end, edit.end);
    (isOurs ? place.ours : place.theirs).push(edit);
  }
  return places;
}

/** The text of a place after the edits of one side. */
function applied(base: readonly string[], { start, end }: Place, edits: readonly Edit[]): string {
  const texts: string[] = [];
  let at = start;
  for (const edit of edits) {
    texts.push(base.slice(at, edit.start).join(""), edit.text);
    at = edit.end;
  }
  texts.push(base.slice(at, end).join(""));
  return texts.join("");
}

function marked(own: string, other: string, { ours, theirs }: MergeLabels): string {
  return `<<<<<<< ${ours}\n${ended(own)}=======\n${ended(other)}>>>>>>> ${theirs}\n`;
}

/** A marker never follows text on the same line. */
function ended(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

/** Texts with more differing lines count as completely replaced. */
const MAX_EDITS = 2_000;
/** Bounds the running time, which grows with edits × lines for repeated lines. */
const MAX_STEPS = 20_000_000;

/** Lines that both texts have, or that one of them lacks. */
interface LineRun {
  readonly value: readonly string[];
  readonly added: boolean;
  readonly removed: boolean;
}

/** How one list of lines becomes another, in order. */
export function lineChanges(before: readonly string[], after: readonly string[]): LineRun[] {
  const start = commonStart(before, after);
  const end = commonStart(before.slice(start).reverse(), after.slice(start).reverse());
  const [old, now] = [before, after].map((lines) => lines.slice(start, lines.length - end));
  return [
    { value: before.slice(0, start), added: false, removed: false },
    ...changesOf(old ?? [], now ?? []),
    { value: before.slice(before.length - end), added: false, removed: false },
  ];
}

function changesOf(old: string[], now: string[]): LineRun[] {
  const maxEditLength = Math.min(MAX_EDITS, Math.floor(MAX_STEPS / (old.length + now.length)));
  return (
    diffArrays(old, now, { maxEditLength }) ?? [
      { value: old, removed: true, added: false },
      { value: now, removed: false, added: true },
    ]
  );
}

/** Number of common lines at the start. */
function commonStart(a: readonly string[], b: readonly string[]): number {
  const length = Math.min(a.length, b.length);
  let count = 0;
  while (count < length && a[count] === b[count]) count += 1;
  return count;
}
