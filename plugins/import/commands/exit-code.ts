import { SiteError, type CommandInput } from "#kernel";

/**
 * Runs a command. Coded errors are printed with their fix: 2 for the codes of wrong arguments (`usage`),
 * 1 for others.
 */
export async function exitCode(
  input: CommandInput,
  run: (input: CommandInput) => Promise<number>,
  usage: ReadonlySet<string>,
): Promise<number> {
  try {
    return await run(input);
  } catch (error) {
    if (!(error instanceof SiteError)) throw error;
    input.out.error(error.fix === undefined ? error.message : `${error.message}; ${error.fix}`);
    return usage.has(error.code) ? 2 : 1;
  }
}
