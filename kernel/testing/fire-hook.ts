import { nearest } from "#lib/values";
import type { AnyHook, HookData, HookKind, Hooks } from "../contracts.js";
import { hookName } from "../hooks/define-hook.js";

type Fire = (hooks: Hooks, name: never, data: never) => unknown;

// The declared kind of the hook selects the verb: the compiler cannot know it here.
const VERBS: Readonly<Record<HookKind, Fire>> = {
  create: (hooks, name, data) => hooks.run(name, data),
  transform: (hooks, name, data) => hooks.transform(name, data),
  notify: async (hooks, name, data) => {
    hooks.notify(name, data);
    await hooks.settled();
    return data;
  },
};

/**
 * Fires a hook with the verb of its kind and resolves with the payload once every handler is done.
 * @throws Error for a hook that no selected plugin declares, with the nearest name; and what a handler
 * of a `create` hook throws.
 */
export async function fireHook<H extends AnyHook>(
  hooks: Hooks,
  hook: H,
  data: HookData<H>,
): Promise<HookData<H>> {
  const name = hookName(hook);
  const kinds = hooks.declared();
  const kind = kinds.get(name);
  if (kind === undefined) {
    const hint = nearest(name, [...kinds.keys()]);
    const fix = hint === null ? "select the plugin that fires it" : `did you mean "${hint}"?`;
    throw new Error(`no selected plugin declares the hook "${name}": ${fix}`);
  }
  return (await VERBS[kind](hooks, name as never, data as never)) as HookData<H>;
}
