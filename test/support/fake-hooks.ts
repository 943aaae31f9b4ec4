import type { AnyHook, HookData, Hooks } from "#kernel";

type Handle = (name: string, data: Readonly<Record<string, unknown>>) => object | void;

/** Hooks that pass each payload to `handle`, which may return another one; `heard` have handlers. */
export function fakeHooks(
  handle: Handle = () => undefined,
  heard: readonly string[] = [],
): Pick<Hooks, "has" | "transform" | "notify"> {
  const pass = <H extends AnyHook>(hook: H, data: HookData<H>): HookData<H> =>
    (handle(nameOf(hook), data as Readonly<Record<string, unknown>>) ?? data) as HookData<H>;
  return {
    has: (hook) => heard.includes(nameOf(hook)),
    transform: async (hook, data) => pass(hook, data),
    notify: (hook, data) => void pass(hook, data),
  };
}

function nameOf(hook: AnyHook): string {
  return typeof hook === "string" ? hook : hook.name;
}
