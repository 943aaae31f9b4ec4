/**
 * What a conformance suite needs from a test runner. The functions of mocha, `node:test`, vitest and
 * jest fit; those of mocha and jest are globals.
 */
export interface TestRunner {
  describe(title: string, body: () => void): unknown;
  it(title: string, body: () => Promise<void> | void): unknown;
  beforeEach(body: () => Promise<void> | void): unknown;
  afterEach(body: () => Promise<void> | void): unknown;
}

const NAMES = ["describe", "it", "beforeEach", "afterEach"] as const;

/**
 * The runner whose functions are globals.
 * @throws Error when no runner is loaded; its message says what to pass.
 */
export function globalRunner(): TestRunner {
  const found: Partial<TestRunner> = globalThis;
  const { describe, it, beforeEach, afterEach } = found;
  if (describe && it && beforeEach && afterEach) return { describe, it, beforeEach, afterEach };
  const missing = NAMES.filter((name) => found[name] === undefined).join(", ");
  throw new Error(
    `the test runner has no global ${missing}: pass { ${NAMES.join(", ")} } as the suite's last argument, of "node:test" or "vitest"`,
  );
}
