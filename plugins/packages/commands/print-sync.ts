import type { CommandInput } from "#kernel";
import { LOCK_FILE } from "#kernel/internal";
import type { LockDiff } from "../lock-diff.js";
import type { SyncResult } from "../synchronise.js";

/** The option of every command with JSON output. */
export const JSON_OPTION = ["--json", "print JSON"] as const;

/** Prints the changes of the lock; returns the exit code. */
export function printSync(input: CommandInput, result: SyncResult, done?: string): number {
  const { out, options } = input;
  const ok = result.blocked.length === 0;
  if (options["json"] === true) {
    out.json({ ok, lockfilePath: LOCK_FILE, diffs: result.diffs, blocked: result.blocked });
    return ok ? 0 : 1;
  }
  for (const diff of result.diffs) {
    if (diff.section === "specifiers" && diff.kind !== "blocked") out.line(formatDiff(diff));
  }
  for (const message of result.blocked) out.error(`${out.colour.red("✗")} ${message}`);
  if (!ok) return 1;
  const count = (kind: LockDiff["kind"]): number =>
    result.diffs.filter((diff) => diff.section === "specifiers" && diff.kind === kind).length;
  out.line(
    `${LOCK_FILE}: ${count("added")} added, ${count("upgraded")} upgraded, ${count("removed")} removed, ${result.unchanged} unchanged`,
  );
  if (done !== undefined) {
    out.line(`${out.colour.green("✓")} ${done}; restart a running server to apply it`);
  }
  return 0;
}

/** One line for a difference. */
export function formatDiff({ section, key, kind, from, to }: LockDiff): string {
  const sign = { added: "+", upgraded: "~", removed: "-", blocked: "✗" }[kind];
  const change = [from, to].filter((side) => side !== null).join(" → ");
  const what = section === "minimumDependencyAge" ? `minimum age of ${key}` : key;
  return `  ${sign} ${what}${change === "" ? "" : `  ${change}`}`;
}
