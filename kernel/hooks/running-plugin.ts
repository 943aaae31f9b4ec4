import { AsyncLocalStorage } from "node:async_hooks";

/** The plugin whose handler of a create hook runs: what it registers through the payload is its own. */
const running = new AsyncLocalStorage<string>();

/** Runs a handler of a create hook in the name of its plugin. */
export function asPlugin<R>(plugin: string, work: () => R): R {
  return running.run(plugin, work);
}

/** The plugin whose handler of a create hook runs here; undefined outside of one. */
export function runningPlugin(): string | undefined {
  return running.getStore();
}
