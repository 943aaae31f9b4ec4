import { ApiError } from "../../api/request.js";
import { t } from "./settings-texts.js";

/** What the configuration finds wrong, by the key of the file. */
export interface SettingProblem {
  /** Below the edited block. */
  readonly key: string;
  /** `site.yaml:3` */
  readonly place: string;
  /** As JSON; null for a missing value. */
  readonly received: string | null;
  readonly message: string;
}

/** The problems that a rejected change reports; empty for other failures. `at`: the edited block. */
export function settingProblems(error: unknown, at = ""): readonly SettingProblem[] {
  const list = error instanceof ApiError ? error.body["details"] : null;
  if (!Array.isArray(list)) return [];
  return list.flatMap((one: unknown) => {
    if (typeof one !== "object" || one === null || !("key" in one)) return [];
    const { key, file = "", line = 0, received, expected = "", fix = "" }: Found = one;
    const message = [t("expected", { expected }), fix].filter((text) => text !== "").join(" ");
    return [
      {
        key: below(String(key), at),
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

/** The problem of a setting, also one inside its value: `rules[0].pattern` of `rules`. */
export function problemOf(problems: readonly SettingProblem[], key: string): string | null {
  const found = problems.find((one) => {
    const rest = one.key.startsWith(key) ? one.key.slice(key.length) : null;
    return rest === "" || rest?.[0] === "." || rest?.[0] === "[";
  });
  if (found === undefined) return null;
  return found.key === key ? found.message : `${found.key}: ${found.message}`;
}
