import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { nearest, nearestLine, parseYamlSource } from "#kernel/internal";
import type { ContentProblem } from "../../content/contract.js";
import type { Theme } from "./theme.js";

/** Longest value in a problem, in characters. */
const MAX_VALUE = 120;

/** Where the settings of a site stand, the first that exists. */
const FILES: readonly string[] = ["site.yaml", join("config", "site.yaml")];

/** A warning for each key of `theme.custom` that no theme of the chain has in its `config_schema`. */
export function settingProblems(
  chain: readonly Theme[],
  { root, custom }: { root: string; custom: Readonly<Record<string, unknown>> },
): ContentProblem[] {
  const known = [...new Set(chain.flatMap(({ manifest }) => Object.keys(manifest.fields)))];
  // A theme without a schema describes no settings.
  if (known.length === 0) return [];
  const unknown = Object.keys(custom).filter((key) => !known.includes(key));
  if (unknown.length === 0) return [];
  const file = FILES.find((path) => existsSync(join(root, path))) ?? "site.yaml";
  const source = existsSync(join(root, file))
    ? parseYamlSource(file, readFileSync(join(root, file)))
    : null;
  return unknown.map((key) => {
    const line = nearestLine(source, ["theme", "custom", key]);
    const meant = nearest(key, known);
    return {
      sourcePath: file,
      ...(line !== undefined && { line }),
      severity: "warning",
      code: "ERR_THEME_SETTING",
      key: `theme.custom.${key}`,
      value: (JSON.stringify(custom[key]) ?? "").slice(0, MAX_VALUE),
      message: `the theme ${chain[0]?.name ?? ""} has no setting ${JSON.stringify(key)}`,
      fix: meant === null ? `its settings are ${known.join(", ")}` : `did you mean ${meant}?`,
    };
  });
}
