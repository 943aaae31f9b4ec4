import type { ValueCheck } from "#lib/values";
import type { AnyHook, DefinedHook, FiredHooks, HookKind } from "../contracts.js";

/**
 * A plugin's own hook, with the type of its payload and its kind. The plugin lists it in `fires`; the
 * verbs and `on` of `site.hooks` take it and infer the payload. `check` is called after each handler of a
 * transform hook: a handler whose payload it rejects is skipped, like one that throws.
 *
 * @example
 * export const onOrderPaid = defineHook<{ order: Order }>("onOrderPaid", "notify");
 * site.hooks.notify(onOrderPaid, { order });
 */
export function defineHook<D>(name: string, kind: "create"): DefinedHook<D, "create">;
export function defineHook<D>(
  name: string,
  kind: "transform",
  check?: ValueCheck,
): DefinedHook<D, "transform">;
export function defineHook<D>(name: string, kind: "notify"): DefinedHook<D, "notify">;
export function defineHook<D>(name: string, kind: HookKind, check?: ValueCheck): DefinedHook<D> {
  return Object.freeze({ name, kind, ...(check && { check }) });
}

/** The name of a hook. */
export function hookName(hook: AnyHook): string {
  return typeof hook === "string" ? hook : hook.name;
}

/** A hook as a plugin declares it; `definition` is null for one that is declared by its name. */
export interface Declaration {
  name: string;
  kind: unknown;
  check: ValueCheck | null;
  definition: DefinedHook<unknown> | null;
  /** The declaring plugin, or `kernel`. */
  owner: string;
}

/** A hook that a plugin declares in `fires`. */
export function readDeclarations(owner: string, fires: FiredHooks = {}): Declaration[] {
  if (isList(fires)) {
    return fires.map((definition) => ({
      name: definition.name,
      kind: definition.kind,
      check: definition.check ?? null,
      definition,
      owner,
    }));
  }
  return Object.entries(fires).map(([name, fired]) => {
    const { kind, check } =
      typeof fired === "object" && fired !== null ? fired : { kind: fired, check: null };
    return { name, kind, check: check ?? null, definition: null, owner };
  });
}

function isList(fires: FiredHooks): fires is readonly DefinedHook<unknown>[] {
  return Array.isArray(fires);
}
