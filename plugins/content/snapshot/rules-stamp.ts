import type { TreeRules } from "../read/walk.js";
import type { PositionRules } from "../index/tree/tree-nodes.js";

/** A stamp of the rules that decide which pages result from the same files. */
export function stampOf({
  formats,
  templates,
  termFields,
  textFields,
  ...rules
}: TreeRules & PositionRules): string {
  const { root, languages, defaultLanguage, includeDefaultInUrl, home, timezone } = rules;
  const names = [[...formats].sort(), [...templates].sort()];
  return JSON.stringify([
    root,
    names,
    languages,
    defaultLanguage,
    includeDefaultInUrl,
    home,
    timezone,
    [...(termFields ?? [])],
    textFields?.stamp ?? "",
  ]);
}
