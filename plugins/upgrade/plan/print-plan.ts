import type { Output } from "#kernel/internal";
import type { UpgradePlan } from "./plan-upgrade.js";

/** Files and keys that are printed for one change. */
const MAX_USES = 5;

/** Prints a plan for people. */
export function printPlan({ from, to, ok, findings }: UpgradePlan, out: Output): void {
  const { green, yellow, red, dim, cyan, bold } = out.colour;
  const marks = { error: red("✗"), warning: yellow("!"), info: dim("·") } as const;
  out.line(bold(`${from} → ${to}`));
  for (const { level, message, usedIn, fix } of findings) {
    out.line(`${marks[level]} ${message}`);
    for (const use of usedIn.slice(0, MAX_USES)) out.line(dim(`  in ${use}`));
    if (usedIn.length > MAX_USES) out.line(dim(`  and ${usedIn.length - MAX_USES} more`));
    if (fix !== null) out.line(`  ${cyan("fix:")} ${fix}`);
  }
  const count = (level: string): number => findings.filter((one) => one.level === level).length;
  out.line(`${count("error")} errors, ${count("warning")} warnings`);
  out.line(ok ? `${green("✓")} ready: site upgrade --apply` : "fix the errors first");
}
