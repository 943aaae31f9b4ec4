/**
 * Runs a check of a conformance suite: a failure begins with the sentence of the rule that it breaks,
 * before the values that differ.
 */
export async function stating(rule: string, work: () => Promise<void> | void): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const { message, stack } = error;
    error.message = `the rule is: ${rule}\n${message}`;
    // Runners print the stack, which begins with the message of its creation.
    if (stack !== undefined) error.stack = stack.replace(message, () => error.message);
    throw error;
  }
}
