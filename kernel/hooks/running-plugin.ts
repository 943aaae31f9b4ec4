import { AsyncLocalStorage } from "node:async_hooks";

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
