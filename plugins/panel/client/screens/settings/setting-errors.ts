import { ApiError } from "../../api/request.js";
import { t } from "./settings-texts.js";

/** What the configuration finds wrong, by the key of the file. */
export interface SettingProblem {
  readonly key: string;
  readonly message: string;
}

/** The problems that a rejected change reports; empty for other failures. */
export function settingProblems(error: unknown): readonly SettingProblem[] {
  const list = error instanceof ApiError ? error.body["details"] : null;
  if (!Array.isArray(list)) return [];
  return list.flatMap((one: unknown) => {
    if (typeof one !== "object" || one === null || !("key" in one)) return [];
    const { key, expected = "", fix = "" }: { key: unknown; expected?: string; fix?: string } = one;
    const message = [t("expected", { expected }), fix].filter((text) => text !== "").join(" ");
    return [{ key: String(key), message }];
  });
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
