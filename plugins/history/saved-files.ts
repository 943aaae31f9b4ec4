/** What a save looks like as a commit. */
import { join } from "node:path";
import type { SiteContext } from "#kernel";
import type { SavedStep } from "./exact-commit.js";
import type { SavedFiles } from "./git-commits.js";
import type { Save, SavedChange } from "./save-journal.js";

/** The commit of a save. */
export function toCommit(site: SiteContext, { changes, actor, message, at }: Save): SavedFiles {
  const paths = changes.flatMap((change) =>
    change.op === "move" ? [change.path, change.to] : [change.path],
  );
  return {
    files: paths.map((path) => join(site.paths.content, path)),
    exact: savedSteps(site, changes),
    at,
    message: message ?? summary(changes),
    author: actor,
  };
}

/** The steps of these changes, in order, independent of later saves. */
function savedSteps(site: SiteContext, changes: readonly SavedChange[]): SavedStep[] {
  const at = (path: string): string => join(site.paths.content, path);
  return changes.map((change) =>
    change.op === "move"
      ? { from: at(change.path), to: at(change.to) }
      : { path: at(change.path), bytes: change.after },
  );
}

function summary([first, ...rest]: readonly SavedChange[]): string {
  if (first === undefined) return "change pages";
  const verb = first.op === "move" ? "move" : describe(first);
  return `${verb} ${first.path}${rest.length > 0 ? ` and ${rest.length} more` : ""}`;
}

function describe({ before, after }: Exclude<SavedChange, { op: "move" }>): string {
  if (after === null) return "delete";
  return before === null ? "create" : "update";
}
