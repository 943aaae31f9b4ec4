import { expectText, expectKind, type ValueCheck, nearest } from "#lib/values";
import { SiteError } from "#lib/errors";
import type { EngineCalls, EngineInfo, EngineRegistry, Engines, EngineSlot } from "../contracts.js";
import { callCheck, runningPlugin } from "../call-check.js";
import type { EngineMember } from "../errors.js";
import { engineView, PendingCalls } from "./engine-calls.js";

/** The active engine, and the plugin that chose it. */
interface Choice {
  readonly name: string;
  readonly plugin: string;
}

/** Options of a slot. */
interface SlotOptions<E> {
  readonly name: string;
  /** The plugin that opened it. Its choices follow the configuration, and give way to others. */
  readonly owner: string;
  readonly check: ValueCheck;
  /** Null: engines are used as they are. */
  readonly calls: EngineCalls<E> | null;
  readonly pending: PendingCalls;
  readonly maxLimitMs: number | undefined;
  isSealed(): boolean;
}

/** A slot: implementations by name, one of them active. */
class Slot<E> {
  readonly name: string;
  readonly owner: string;
  readonly #options: SlotOptions<E>;
  /** Each with the plugin that registered it. */
  readonly #engines = new Map<string, { engine: E; plugin: string }>();
  #choice: Choice | null = null;

  constructor(options: SlotOptions<E>) {
    this.name = options.name;
    this.owner = options.owner;
    this.#options = options;
  }

  register(name: string, engine: E, plugin: string): void {
    if (this.#options.isSealed()) {
      throw new SiteError(
        "ERR_SEALED",
        `engine "${name}" of slot "${this.name}" is registered too late`,
        { fix: "register it in setup or in the slot's create hook" },
      );
    }
    const problem = this.#options.check(engine);
    if (problem !== null) {
      throw new SiteError(
        "ERR_ENGINE_INVALID",
        `plugin "${plugin}" registers the engine "${name}" of slot "${this.name}": ${problem}`,
        { fix: "implement the contract of the slot; the reference of the plugin shows it" },
      );
    }
    if (this.#engines.has(name)) {
      throw new SiteError(
        "ERR_ENGINE_DUPLICATE",
        `slot "${this.name}" already has an engine "${name}"`,
        { fix: "rename the engine" },
      );
    }
    this.#engines.set(name, { engine: this.#watched(name, engine, plugin), plugin });
  }

  /** The plugin of the slot knows its own engines. */
  #watched(name: string, engine: E, plugin: string): E {
    const { calls, pending, maxLimitMs } = this.#options;
    if (calls === null || plugin === this.owner) return engine;
    const view: unknown = engineView({
      value: Object(engine),
      slot: this.name,
      engine: name,
      enginePlugin: plugin,
      calls,
      pending,
      maxLimitMs,
    });
    // It has the members of the engine.
    return view as E;
  }

  activate(name: string, plugin: string, wraps: string | null = null): void {
    if (!this.#engines.has(name)) {
      const hint = nearest(name, this.names);
      throw new SiteError(
        "ERR_ENGINE_UNKNOWN",
        `slot "${this.name}" has no engine ${JSON.stringify(name)}; registered: ${this.names.join(", ") || "none"}`,
        { fix: hint ? `did you mean "${hint}"?` : "select the plugin that provides it" },
      );
    }
    const earlier = this.#choice;
    const isFree =
      earlier === null ||
      [this.owner, plugin].includes(earlier.plugin) ||
      plugin === this.owner ||
      earlier.name === wraps;
    if (!isFree) {
      throw new SiteError(
        "ERR_ENGINE_CONFLICT",
        `plugins "${earlier.plugin}" and "${plugin}" both activate an engine of slot "${this.name}": "${earlier.name}" and "${name}"`,
        { fix: "select one of the plugins" },
      );
    }
    this.#choice = { name, plugin };
  }

  get active(): E {
    const entry = this.#choice === null ? undefined : this.#engines.get(this.#choice.name);
    if (entry !== undefined) return entry.engine;
    throw new SiteError("ERR_ENGINE_NONE", `slot "${this.name}" has no active engine`, {
      fix: `activate one of: ${this.names.join(", ") || "none is registered"}`,
    });
  }

  get activeName(): string | null {
    return this.#choice?.name ?? null;
  }

  get activePlugin(): string | null {
    return this.#engines.get(this.activeName ?? "")?.plugin ?? null;
  }

  get names(): readonly string[] {
    return [...this.#engines.keys()];
  }

  get(name: string): E | undefined {
    return this.#engines.get(name)?.engine;
  }
}

const assertOpen = callCheck(
  "engines.open",
  {
    slot: expectText,
    check: expectKind("function"),
    calls: expectKind("object", "nothing"),
  },
  'site.engines.open("tides", expectMethods(["next"]))',
);
const assertSlot = callCheck(
  "engines.slot",
  { slot: expectText },
  'site.engines.slot("searchEngine")',
);
const assertActivate = callCheck(
  "engines.activate",
  // The slot checks the engine.
  { slot: expectText, engine: () => null, options: expectKind("object", "nothing") },
  'site.engines.activate("searchEngine", engine)',
);
const assertRegister = callCheck("register", { name: expectText }, 'data.register("mine", engine)');

/** A slot as a plugin sees it; a handler of a create hook acts for its own plugin. */
class SlotView<E> implements EngineSlot<E> {
  readonly #slot: Slot<E>;
  readonly #plugin: string;

  constructor(slot: Slot<E>, plugin: string) {
    this.#slot = slot;
    this.#plugin = plugin;
  }

  register(name: string, engine: E): void {
    assertRegister(name);
    this.#slot.register(name, engine, runningPlugin() ?? this.#plugin);
  }

  activate(name: string): void {
    this.#slot.activate(name, runningPlugin() ?? this.#plugin);
  }

  get active(): E {
    return this.#slot.active;
  }

  get activeName(): string | null {
    return this.#slot.activeName;
  }

  get activePlugin(): string | null {
    return this.#slot.activePlugin;
  }

  get names(): readonly string[] {
    return this.#slot.names;
  }

  get(name: string): E | undefined {
    return this.#slot.get(name);
  }
}

type SlotName = keyof Engines & string;

/** The parts of a site that its slots use. */
export interface SlotRegistryOptions {
  /** The longest time limit of a call of an engine, in ms; default: that of the call. */
  maxLimitMs?: number | undefined;
  /** Names of the open extension lists: what contributes to one is no engine. */
  lists?: () => readonly string[];
}

/** The engine slots of one site. Sealed after onReady: create hooks run in onReady. */
export class SlotRegistry {
  readonly #lists: () => readonly string[];
  readonly #slots = new Map<string, Slot<unknown>>();
  readonly #pending = new PendingCalls();
  readonly #maxLimitMs: number | undefined;
  #sealed = false;

  constructor({ maxLimitMs, lists = () => [] }: SlotRegistryOptions = {}) {
    this.#maxLimitMs = maxLimitMs;
    this.#lists = lists;
  }

  /** A plugin's view of the slots. */
  forPlugin(plugin: string): EngineRegistry {
    return {
      open: (slot, check, calls) => {
        assertOpen(slot, check, calls ?? undefined);
        return this.#open(slot, plugin, { check, calls: calls ?? null });
      },
      slot: (slot) => {
        assertSlot(slot);
        return this.slot(slot, plugin);
      },
      activate: <K extends SlotName>(
        slot: K,
        engine: Engines[K],
        options: { wraps?: string | null } = {},
      ) => {
        assertActivate(slot, engine, options);
        const { wraps } = options;
        const opened = this.#slot(slot, plugin);
        opened.register(plugin, engine, plugin);
        opened.activate(plugin, plugin, wraps);
      },
      list: () => this.list(),
    };
  }

  #open<K extends SlotName>(
    slot: K,
    plugin: string,
    { check, calls }: Pick<SlotOptions<Engines[K]>, "check" | "calls">,
  ): EngineSlot<Engines[K]> {
    if (this.#slots.has(slot)) {
      throw new SiteError("ERR_ENGINE_SLOT_OPEN", `slot "${slot}" is already open`, {
        fix: "use engines.slot to reach it",
      });
    }
    const opened = new Slot<Engines[K]>({
      name: slot,
      owner: plugin,
      check,
      calls,
      pending: this.#pending,
      maxLimitMs: this.#maxLimitMs,
      isSealed: () => this.#sealed,
    });
    this.#slots.set(slot, opened as Slot<unknown>);
    return new SlotView(opened, plugin);
  }

  slot<K extends SlotName>(slot: K, plugin: string): EngineSlot<Engines[K]> {
    // Opened with the type of its name.
    return new SlotView(this.#slot(slot, plugin) as Slot<Engines[K]>, plugin);
  }

  #slot(slot: string, plugin: string): Slot<unknown> {
    const opened = this.#slots.get(slot);
    if (opened) return opened;
    const hint = nearest(slot, [...this.#slots.keys()]);
    if (this.#lists().includes(slot)) {
      const who = runningPlugin() ?? plugin;
      const message = `plugin "${who}" uses the extension list "${slot}" as an engine slot`;
      throw new SiteError("ERR_ENGINE_SLOT_UNKNOWN", message, {
        fix: `add to it: site.extensions.add("${slot}", value)`,
      });
    }
    throw new SiteError("ERR_ENGINE_SLOT_UNKNOWN", `no selected plugin opens the slot "${slot}"`, {
      fix: hint
        ? `did you mean "${hint}"?`
        : "select the plugin that uses it, and name it in `requires`",
    });
  }

  list(): readonly EngineInfo[] {
    return [...this.#slots.values()].map(({ name, owner, names, activeName }) => ({
      slot: name,
      plugin: owner,
      engines: names,
      active: activeName,
    }));
  }

  /** Calls of engines that began at this moment (`performance.now()`) or later and have not answered. */
  awaitedSince(moment: number): readonly EngineMember[] {
    return this.#pending.since(moment);
  }

  /** The site has closed: calls without an answer no longer keep the process alive. */
  close(): void {
    this.#pending.close();
  }

  seal(): void {
    this.#sealed = true;
  }
}
