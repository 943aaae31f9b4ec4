import type { TestRunner } from "./test-runner.js";

const PREFIX = "the rule is: ";

/**
 * Runs a check of a conformance suite: a failure begins with the sentence of the rule that it breaks,
 * before the values that differ. Of nested rules, the inner one is stated.
 */
export async function stating(rule: string, work: () => Promise<void> | void): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Error) || error.message.startsWith(PREFIX)) throw error;
    const { message, stack } = error;
    error.message = `${PREFIX}${rule}\n${message}`;
    // Runners print the stack, which begins with the message of its creation.
    if (stack !== undefined) error.stack = stack.replace(message, () => error.message);
    throw error;
  }
}

/** The rules of a suite: the title of each check, and the sentence that the docs have about it. */
export type SuiteRules = Readonly<Record<string, string>>;

/** `it` of a suite whose checks state their rules. @throws Error for a check without a rule. */
export function statingRules(it: TestRunner["it"], rules: SuiteRules): TestRunner["it"] {
  return (title, body) => {
    const rule = rules[title];
    if (rule === undefined) throw new Error(`the check ${JSON.stringify(title)} has no rule`);
    it(title, () => stating(rule, body));
  };
}
