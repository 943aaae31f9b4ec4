import { CommanderError } from "commander";
import { SiteError } from "#lib/errors";
import { formatProblem } from "#lib/values";
import { ConfigError } from "../config/problem.js";
import type { Output, CommandInput } from "../contracts.js";
import { authorPlaceOf, formatPosition, stackOf } from "#lib/modules";
import { machineProblem } from "#lib/terminal";

/** Prints where the author's code failed, with the stack of the root cause. */
function printPosition(error: SiteError, out: Output): void {
  const position = authorPlaceOf(error);
  // A message about a file may name the position already.
  if (position === null || error.message.includes(formatPosition(position))) return;
  out.error(`  ${out.colour.cyan("at:")} ${formatPosition(position)}`);
  if (!(error.cause instanceof Error)) return;
  const stack = stackOf(error);
  // Without a frame it repeats the message and the position.
  if (!stack.some((line) => line.startsWith("    "))) return;
  for (const line of stack) out.error(out.colour.dim(`  ${line}`));
}

/** Prints a wrong word of a command line as any other failure; help and version are printed already. */
function reportUsage({ code, exitCode, message }: CommanderError, out: Output): number {
  if (exitCode === 0) return 0;
  if (code !== "commander.help") {
    const { red, cyan } = out.colour;
    const [wrong = "", hint] = message.replace(/^error: /, "").split("\n");
    const guess = /^\(Did you mean (.*)\?\)$/.exec(hint ?? "")?.[1];
    const help = "run site --help for the commands, site <command> --help for the options of one";
    out.error(`${red("✗")} ${wrong}`);
    out.error(`  ${cyan("fix:")} ${guess === undefined ? help : `did you mean ${guess}?`}`);
  }
  return 2;
}

/**
 * Prints a failure by its kind, and returns the exit code. `exitCode` applies to a coded error that has
 * none. An error with an exit code is a mistake on the command line: its place in the code is not printed.
 */
export function report(error: unknown, out: Output, exitCode?: number): number {
  if (error instanceof CommanderError) return reportUsage(error, out);
  const { red, dim, cyan } = out.colour;
  if (error instanceof ConfigError) {
    out.error(`${red("✗")} the configuration has problems`);
    for (const problem of error.problems) out.error(`  ${formatProblem(problem)}`);
    return 1;
  }
  if (error instanceof SiteError) {
    out.error(`${red("✗")} ${error.message} ${dim(error.code)}`);
    if (error.fix !== undefined) out.error(`  ${cyan("fix:")} ${error.fix}`);
    const code = error.exitCode ?? exitCode;
    if (code === undefined) printPosition(error, out);
    out.error(`  ${dim(`more: site errors:explain ${error.code}`)}`);
    return code ?? 1;
  }
  const problem = machineProblem(error);
  if (problem !== null) {
    out.error(`${red("✗")} ${problem.message}`);
    out.error(`  ${cyan("fix:")} ${problem.fix}`);
    return 1;
  }
  const [first = "", ...frames] = stackOf(error);
  out.error(`${red("✗")} ${first}`);
  for (const line of frames) out.error(dim(line));
  return 1;
}

/**
 * Runs a command and returns its exit code. A coded error is reported; its exit code is its
 * own, else `codeOf`, by default 2. @throws all other errors.
 */
export async function exitCode(
  { out }: Pick<CommandInput, "out">,
  run: () => Promise<number>,
  codeOf: (error: SiteError) => number = () => 2,
): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof SiteError)) throw error;
    return report(error, out, codeOf(error));
  }
}
