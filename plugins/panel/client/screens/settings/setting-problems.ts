/** What the configuration rejects, by the settings that the form shows. */
import { ApiError } from "../../api/request.js";
import type { InnerError } from "../../parts/fields/field-props.js";

/** A value that the configuration rejects, by the key of the file. */
export interface SettingProblem {
  /** The key below the edited block. */
  readonly key: string;
  /** `site.yaml:3` */
  readonly place: string;
  /** The value as JSON; null when it is missing. */
  readonly received: string | null;
  readonly message: string;
}

/** Says what is expected in place of a value. */
type Expected = (expected: string) => string;

/** The problems that a rejected change reports; empty for other failures. `at`: the edited block. */
export function settingProblems(
  error: unknown,
  at: string | undefined,
  say: Expected,
): readonly SettingProblem[] {
  const list = error instanceof ApiError ? error.body["details"] : null;
  if (!Array.isArray(list)) return [];
  return list.flatMap((one: unknown) => {
    if (typeof one !== "object" || one === null || !("key" in one)) return [];
    const { key, file = "", line = 0, received, expected = "", fix = "" }: Found = one;
    const message = [say(expected), fix].filter((text) => text !== "").join(" ");
    return [
      {
        key: below(String(key), at ?? ""),
        place: line > 0 ? `${file}:${line}` : file,
        received: received === undefined ? null : JSON.stringify(received),
        message,
      },
    ];
  });
}

interface Found {
  readonly key: unknown;
  readonly file?: string;
  readonly line?: number;
  readonly received?: unknown;
  readonly expected?: string;
  readonly fix?: string;
}

function below(key: string, at: string): string {
  return at !== "" && key.startsWith(`${at}.`) ? key.slice(at.length + 1) : key;
}

/** The problems inside the value of a setting: `rules[0].pattern` as `0.pattern`. */
export function innerProblems(
  problems: readonly SettingProblem[],
  key: string,
): readonly InnerError[] {
  return problems.flatMap((one) => {
    const rest = one.key.startsWith(`${key}[`) ? one.key.slice(key.length + 1) : "";
    return rest === ""
      ? []
      : [{ field: rest.replace("]", "").replaceAll(/[[\]]/g, "."), message: one.message }];
  });
}

/** The problem of a setting, also one inside its value: `rules[0].pattern` of `rules`. */
export function findProblem(problems: readonly SettingProblem[], key: string): string | null {
  const problem = problems.find((one) => {
    const rest = one.key.startsWith(key) ? one.key.slice(key.length) : null;
    return rest === "" || rest?.[0] === "." || rest?.[0] === "[";
  });
  if (problem === undefined) return null;
  return problem.key === key ? problem.message : `${problem.key}: ${problem.message}`;
}
