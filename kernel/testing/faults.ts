import { withMovedObjects } from "../boot/moved-members.js";
import type {
  AnyHook,
  HookHandler,
  HookHandlers,
  HookName,
  Plugin,
  SiteContext,
} from "../contracts.js";
import { hookName } from "../hooks/define-hook.js";

/** A handler that throws on purpose. */
export interface Fault {
  /** Number of times that it has thrown since. */
  thrown: number;
}

/** Makes handlers of plugins throw: handlers of adapted plugins check it before they run. */
export class Faults {
  readonly #faults = new Map<string, Fault>();

  /** From now on the handlers of `plugin` for `hook` throw. */
  add(plugin: string, hook: string): Fault {
    const fault = { thrown: 0 };
    this.#faults.set(`${plugin} ${hook}`, fault);
    return fault;
  }

  /** Repairs the handlers. */
  remove(plugin: string, hook: string): void {
    this.#faults.delete(`${plugin} ${hook}`);
  }

  /** The plugin with handlers that can be made to throw; unchanged without handlers. */
  adapt(plugin: Plugin): Plugin {
    const { name, hooks, setup } = plugin;
    return {
      ...plugin,
      ...(hooks && { hooks: this.#adaptHandlers(name, hooks) }),
      ...(setup && { setup: (site: SiteContext) => setup.call(plugin, this.#context(name, site)) }),
    };
  }

  #context(plugin: string, site: SiteContext): SiteContext {
    const { hooks } = site;
    return withMovedObjects({
      ...site,
      hooks: {
        ...hooks,
        on: (hook, handler, order) => {
          // A wrong handler is refused as on a real site.
          const isHandler = typeof handler === "function";
          hooks.on(hook, isHandler ? this.#guard(plugin, hook, handler) : handler, order);
        },
      },
    });
  }

  #adaptHandlers(plugin: string, hooks: HookHandlers): HookHandlers {
    const adapted = Object.entries(hooks).map(([name, entry]) => {
      // Each entry keeps its name: the same map, guarded.
      const hook = name as HookName;
      if (typeof entry === "function") return [name, this.#guard(plugin, hook, entry as never)];
      return [name, { ...entry, handler: this.#guard(plugin, hook, entry.handler as never) }];
    });
    return Object.fromEntries(adapted) as HookHandlers;
  }

  #guard<H extends AnyHook>(plugin: string, hook: H, handler: HookHandler<H>): HookHandler<H> {
    return (context) => {
      const name = hookName(hook);
      const fault = this.#faults.get(`${plugin} ${name}`);
      if (fault === undefined) return handler(context);
      fault.thrown += 1;
      throw new Error(`crash of "${plugin}" in ${name}, requested by the test`);
    };
  }
}
