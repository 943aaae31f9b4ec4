import type { EngineRegistry, Engines, EngineSlot, SlotInfo } from "./contracts.js";
import { SiteError } from "./errors.js";
import { nearest } from "./config/nearest.js";

/** A slot: implementations by name, one of them active. */
class Slot<E> implements EngineSlot<E> {
  readonly #name: string;
  readonly #engines = new Map<string, E>();
  readonly #isSealed: () => boolean;
  #active: string | null = null;

  constructor(name: string, isSealed: () => boolean) {
    this.#name = name;
    this.#isSealed = isSealed;
  }

  register(name: string, engine: E): void {
    if (this.#isSealed()) {
      throw new SiteError(
        "ERR_SEALED",
        `engine "${name}" of slot "${this.#name}" is registered too late`,
        {
          fix: "register it in setup or in the slot's create hook",
        },
      );
    }
    if (this.#engines.has(name)) {
      throw new SiteError(
        "ERR_ENGINE_DUPLICATE",
        `slot "${this.#name}" already has an engine "${name}"`,
        { fix: "rename the engine" },
      );
    }
    this.#engines.set(name, engine);
  }

  activate(name: string): void {
    if (!this.#engines.has(name)) {
      const hint = nearest(name, this.names);
      throw new SiteError(
        "ERR_ENGINE_UNKNOWN",
        `slot "${this.#name}" has no engine ${JSON.stringify(name)}; registered: ${this.names.join(", ") || "none"}`,
        { fix: hint ? `did you mean "${hint}"?` : "select the plugin that provides it" },
      );
    }
    this.#active = name;
  }

  get active(): E {
    const engine = this.#active === null ? undefined : this.#engines.get(this.#active);
    if (engine !== undefined) return engine;
    throw new SiteError("ERR_ENGINE_NONE", `slot "${this.#name}" has no active engine`, {
      fix: `activate one of: ${this.names.join(", ") || "none is registered"}`,
    });
  }

  get activeName(): string | null {
    return this.#active;
  }

  get names(): readonly string[] {
    return [...this.#engines.keys()];
  }

  get all(): readonly E[] {
    return [...this.#engines.values()];
  }

  get(name: string): E | undefined {
    return this.#engines.get(name);
  }
}

type SlotName = keyof Engines & string;

/** The slots of one site. Sealed after onReady: create hooks run in onReady. */
export class SlotRegistry {
  readonly #slots = new Map<string, { plugin: string; slot: EngineSlot<unknown> }>();
  #sealed = false;

  /** A plugin's view of the slots. */
  forPlugin(plugin: string): EngineRegistry {
    return {
      open: (slot) => this.open(slot, plugin),
      slot: (slot) => this.slot(slot),
      fill: (slot, engine) => {
        if (!this.#slots.has(slot)) return;
        const found = this.slot(slot);
        found.register(plugin, engine);
        found.activate(plugin);
      },
      list: () => this.list(),
    };
  }

  open<K extends SlotName>(slot: K, plugin: string): EngineSlot<Engines[K]> {
    if (this.#slots.has(slot)) {
      throw new SiteError("ERR_ENGINE_SLOT_OPEN", `slot "${slot}" is already open`, {
        fix: "use engines.slot to reach it",
      });
    }
    const opened = new Slot<Engines[K]>(slot, () => this.#sealed);
    this.#slots.set(slot, { plugin, slot: opened as EngineSlot<unknown> });
    return opened;
  }

  slot<K extends SlotName>(slot: K): EngineSlot<Engines[K]> {
    const found = this.#slots.get(slot);
    if (found) return found.slot as EngineSlot<Engines[K]>;
    const hint = nearest(slot, [...this.#slots.keys()]);
    throw new SiteError("ERR_ENGINE_SLOT_UNKNOWN", `no selected plugin opens the slot "${slot}"`, {
      fix: hint ? `did you mean "${hint}"?` : "select the plugin that uses it",
    });
  }

  list(): readonly SlotInfo[] {
    return [...this.#slots].map(([name, { plugin, slot }]) => ({
      slot: name,
      plugin,
      engines: slot.names,
      active: slot.activeName,
    }));
  }

  seal(): void {
    this.#sealed = true;
  }
}
