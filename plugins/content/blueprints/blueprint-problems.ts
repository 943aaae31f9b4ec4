/** Problems of the files of page types, with a limit. */
import { nearestLine, type YamlSource } from "#kernel/internal";
import type { ContentProblem } from "../contract.js";

/** Problems that are reported of all files together. */
const MAX_PROBLEMS = 1_000;
const MAX_MESSAGE = 480;
const MAX_SHOWN = 120;

/** A mistake in a file. */
export interface BlueprintMistake {
  readonly message: string;
  readonly fix: string;
  readonly line?: number;
  readonly key?: string;
  readonly value?: unknown;
  /** Keys that lead to the place: sets line, key and value from the file. */
  readonly path?: readonly string[];
}

/** Collects problems. */
export class BlueprintProblems {
  readonly #list: ContentProblem[] = [];

  get list(): readonly ContentProblem[] {
    return this.#list;
  }

  /** Reports problems of a file below the site root; `source` locates them. */
  of(sourcePath: string, source: YamlSource | null = null): (mistake: BlueprintMistake) => void {
    return (mistake) => {
      if (this.#list.length >= MAX_PROBLEMS) return;
      const { fix } = mistake;
      const message = mistake.message.slice(0, MAX_MESSAGE);
      const what = { sourcePath, severity: "warning", code: "ERR_CONTENT_BLUEPRINT" } as const;
      this.#list.push({ ...what, message, ...placeOf(mistake, source), fix });
    };
  }
}

/** Line, key and value, as far as they are known. */
function placeOf(
  { path = [], ...mistake }: BlueprintMistake,
  source: YamlSource | null,
): Pick<ContentProblem, "line" | "key" | "value"> {
  const key = mistake.key ?? path.join(".");
  const line = mistake.line ?? nearestLine(source, path);
  if (key === "") return line === undefined ? {} : { line };
  const value = shortValue(mistake.value ?? valueAt(source?.data, path));
  return { ...(line !== undefined && { line }), key, ...(value !== null && { value }) };
}

/** A value as JSON, shortened; null without one. */
export function shortValue(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const text = JSON.stringify(value) ?? String(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

function valueAt(data: unknown, path: readonly string[]): unknown {
  let value = data;
  for (const name of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return null;
    value = Object.entries(value).find(([key]) => key === name)?.[1];
  }
  return path.length === 0 ? null : value;
}
