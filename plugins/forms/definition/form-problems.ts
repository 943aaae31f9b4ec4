import { nearestLine, type YamlSource } from "#kernel/internal";
import type { ContentProblem } from "../../content/contract.js";

const MAX_PROBLEMS = 500;
const MAX_SHOWN = 120;

/** A mistake in a file. */
export interface FormMistake {
  readonly message: string;
  readonly fix: string;
  /** Keys that lead to the place. */
  readonly path?: readonly string[];
  readonly line?: number;
  readonly severity?: "error" | "warning";
}

/** Collects the problems of the files of forms, with line, key and value. */
export class FormProblems {
  readonly #list: ContentProblem[] = [];

  get list(): readonly ContentProblem[] {
    return this.#list;
  }

  /** Reports mistakes of a file below the site root. */
  of(sourcePath: string, source: YamlSource | null): (mistake: FormMistake) => void {
    return ({ message, fix, path = [], line, severity = "error" }) => {
      if (this.#list.length >= MAX_PROBLEMS) return;
      const found = line ?? nearestLine(source, path);
      const value = path.length === 0 ? undefined : shown(valueAt(source?.data, path));
      this.#list.push({
        sourcePath,
        severity,
        code: "ERR_FORMS_FILE",
        message,
        fix,
        ...(found !== undefined && { line: found }),
        ...(path.length > 0 && { key: path.join(".") }),
        ...(value !== undefined && { value }),
      });
    };
  }
}

function valueAt(data: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === "object" && value !== null
        ? Object.entries(value).find(([key]) => key === name)?.[1]
        : undefined,
    data,
  );
}

function shown(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value)?.slice(0, MAX_SHOWN);
}
