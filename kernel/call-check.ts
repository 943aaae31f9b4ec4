/** Checks of the arguments of calls with which plugins register something. */
import { AsyncLocalStorage } from "node:async_hooks";
import { SiteError } from "#lib/errors";
import type { ValueCheck } from "#lib/values";

/**
 * Checks the arguments of a call, in the order of `parameters`, before the call does anything. The returned
 * function throws ERR_CALL_ARGUMENT, which names the plugin whose setup or create hook runs, the call and the
 * parameter; the fix is `example`.
 *
 * @example
 * const assertCheck = callCheck(
 *   "health.addCheck",
 *   { name: expectText, read: expectKind("function") },
 *   'health.addCheck("stock", async () => null)',
 * );
 * assertCheck("stock", 42); // plugin "shop": health.addCheck: "read": expected a function, received 42
 */
export function callCheck(
  call: string,
  parameters: Readonly<Record<string, ValueCheck>>,
  example: string,
): (...values: readonly unknown[]) => void {
  const checks = Object.entries(parameters);
  return (...values) => {
    for (const [at, [name, check]] of checks.entries()) {
      const problem = check(values[at]);
      if (problem === null) continue;
      const plugin = runningPlugin();
      const who = plugin === undefined ? "" : `plugin "${plugin}": `;
      throw new SiteError("ERR_CALL_ARGUMENT", `${who}${call}: "${name}": ${problem}`, {
        fix: `call it like this: ${example}`,
      });
    }
  };
}

/** The plugin whose setup or handler of a create hook runs: what it registers is its own. */
const running = new AsyncLocalStorage<string>();

/** Runs the setup, or a handler of a create hook, in the name of its plugin. */
export function asPlugin<R>(plugin: string, work: () => R): R {
  return running.run(plugin, work);
}

/** The plugin whose setup or handler of a create hook runs here; undefined outside of both. */
export function runningPlugin(): string | undefined {
  return running.getStore();
}
