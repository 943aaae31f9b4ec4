import { SiteError, type CommandInput } from "#kernel";

/** Runs a command; a user error is printed, with exit code 2. */
export async function reportErrors(
  { out }: Pick<CommandInput, "out">,
  work: () => Promise<number>,
): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SiteError)) throw error;
    out.error(error.fix === undefined ? error.message : `${error.message}; ${error.fix}`);
    return 2;
  }
}
