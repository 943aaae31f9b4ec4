import { SiteError } from "#lib/errors";
import type { CommandInput } from "../contracts.js";
import { report } from "./report.js";

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
