/** Two versions of a page, field by field. */
import { differingParts, mergeParts, type MergePart } from "#lib/text";
import { isEqualValue } from "#lib/yaml/reading";
import { EditedText, joinFile, readFrontMatter, splitFile } from "../front-matter/edited-text.js";
import { setKey } from "../front-matter/set-key.js";
import type { SaveConflict as Conflict } from "../../../../../admin/browser-contract.js";

/** A key that both versions changed, differently. */
export interface FieldConflict {
  readonly key: string;
  readonly yours: unknown;
  readonly theirs: unknown;
}
/** The differences between two versions. */
export interface Comparison {
  readonly conflicts: readonly FieldConflict[];
  /** Keys that only you changed, with their values: they are taken over. */
  readonly own: ReadonlyMap<string, unknown>;
  /** The merged body, place by place; empty when both bodies are equal. */
  readonly body: readonly MergePart[];
}
/** The side whose value each conflicting key gets. */
export type Choices = Readonly<Record<string, "yours" | "theirs">>;

/** The choices of a person. */
interface Resolution {
  readonly choices: Choices;
  /** The merged body. */
  readonly body: string;
}

/** The comparison; null when the front matter of a version cannot be read: the text is merged as a whole. */
export function compareVersions({ base, yours, theirs }: Conflict): Comparison | null {
  const mine = readValues(yours);
  const other = readValues(theirs ?? "");
  const before = readValues(base ?? "");
  if (mine === null || other === null || before === null || theirs === null) return null;
  const differing = [...new Set([...Object.keys(other), ...Object.keys(mine)])].filter(
    (key) => !isEqualValue(mine[key], other[key]),
  );
  const isMine = (key: string): boolean => isEqualValue(other[key], before[key]);
  const isTheirs = (key: string): boolean => isEqualValue(mine[key], before[key]);
  // A key whose value another key uses cannot be set by itself.
  const trial = new EditedText(theirs, setKey);
  for (const key of differing) {
    trial.set(key, mine[key]);
    if (trial.edits.problem.value !== null) return null;
  }
  const [yourBody, theirBody] = [splitFile(yours).body, splitFile(theirs).body];
  const baseBody = base === null ? null : splitFile(base).body;
  return {
    conflicts: differing
      .filter((key) => !isMine(key) && !isTheirs(key))
      .map((key) => ({ key, yours: mine[key], theirs: other[key] })),
    own: new Map(differing.filter(isMine).map((key) => [key, mine[key]])),
    body: yourBody === theirBody ? [] : partsOf(baseBody, yourBody, theirBody),
  };
}

/** Both files as a whole, place by place: for front matter that cannot be read. */
export function compareTexts({ base, yours, theirs }: Conflict): readonly MergePart[] {
  return partsOf(base, yours, theirs ?? "");
}

function partsOf(base: string | null, ours: string, theirs: string): MergePart[] {
  return base === null ? differingParts(ours, theirs) : mergeParts({ base, ours, theirs });
}

/** What a person takes at a place where both versions differ. */
export type PlaceChoice = "yours" | "theirs" | "both";

/**
 * The text after the choices for its places, in their order; null while one is missing. Both: yours first, each on
 * lines of its own.
 */
export function chosenText(
  parts: readonly MergePart[],
  choices: readonly (PlaceChoice | undefined)[],
): string | null {
  let place = 0;
  let text = "";
  for (const part of parts) {
    if (part.kind === "merged") {
      text += part.text;
      continue;
    }
    const choice = choices[place];
    place += 1;
    if (choice === undefined) return null;
    if (choice === "theirs") text += part.theirs;
    else if (choice === "yours") text += part.ours;
    else text += withLineEnd(part.ours) + part.theirs;
  }
  return text;
}

function withLineEnd(text: string): string {
  if (text === "" || text.endsWith("\n")) return text;
  return `${text}${text.includes("\r\n") ? "\r\n" : "\n"}`;
}

/** The other version with what you changed, and with your values where they were chosen. */
export function mergedVersions(
  { theirs }: Conflict,
  { conflicts, own, body: parts }: Comparison,
  { choices, body }: Resolution,
): string {
  const text = new EditedText(theirs ?? "", setKey);
  for (const [key, value] of own) text.set(key, value);
  for (const { key, yours } of conflicts) if (choices[key] === "yours") text.set(key, yours);
  return parts.length > 0 ? joinFile({ ...splitFile(text.text), body }) : text.text;
}

function readValues(text: string): Readonly<Record<string, unknown>> | null {
  const { yaml, syntax } = splitFile(text);
  return readFrontMatter(yaml, syntax).values;
}
