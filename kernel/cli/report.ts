import { CommanderError } from "commander";
import { ConfigError, formatProblem } from "../config/problem.js";
import type { Output } from "../contracts.js";
import { SiteError } from "../errors.js";
import { failureFields } from "../boot/failure.js";

/** Prints where the author's code failed, with the stack of the root cause. */
function printPosition(error: SiteError, out: Output): void {
  const { at, stack } = failureFields(error);
  if (at === undefined) return;
  out.error(`  ${out.colour.cyan("at:")} ${at}`);
  if (error.cause instanceof Error)
    for (const line of stack) out.error(out.colour.dim(`  ${line}`));
}

/** Prints a failure by its kind, and returns the exit code. */
export function report(error: unknown, out: Output): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const { red, dim, cyan } = out.colour;
  if (error instanceof ConfigError) {
    out.error(`${red("✗")} the configuration has problems`);
    for (const problem of error.problems) out.error(`  ${formatProblem(problem)}`);
    return 1;
  }
  if (error instanceof SiteError) {
    out.error(`${red("✗")} ${error.message} ${dim(error.code)}`);
    if (error.fix !== undefined) out.error(`  ${cyan("fix:")} ${error.fix}`);
    printPosition(error, out);
    out.error(`  ${dim(`more: site errors:explain ${error.code}`)}`);
    return error.code === "ERR_CONFIG_ROOT" ? 2 : 1;
  }
  out.error(
    `${red("✗")} ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  );
  return 1;
}
