import type {
  Contribution,
  ExtensionInfo,
  ExtensionList,
  ExtensionRegistry,
  ExtensionRules,
  Extensions,
  ExtensionStat,
  Logger,
} from "./contracts.js";
import { callCheck, expectText } from "./call-check.js";
import { failureFields } from "./boot/failure.js";
import { nearest } from "./config/nearest.js";
import { SiteError } from "./errors.js";
import { HANDLER_LIMIT_MS, isPromise, messageOf } from "./hooks/hook-call.js";
import { HandlerStats, SWITCHED_OFF } from "./hooks/hook-stats.js";
import { expectFields } from "./value-checks.js";
import { within } from "./waiting/within.js";

interface Entry<E> extends Contribution<E> {
  /** Position of the plugin in the plugin order. */
  readonly rank: number;
  readonly stats: HandlerStats;
}

/** A list: contributions in plugin order, and the plugin that reads them once it has opened the list. */
class List<E> implements ExtensionList<E> {
  readonly name: string;
  owner: string | null = null;
  readonly #log: Logger;
  readonly #limitMs: number;
  #rules: ExtensionRules | null = null;
  #entries: readonly Entry<E>[] = [];

  constructor(name: string, log: Logger, limitMs: number) {
    this.name = name;
    this.#log = log;
    this.#limitMs = limitMs;
  }

  open(owner: string, rules: ExtensionRules): void {
    if (this.owner !== null) {
      throw new SiteError("ERR_EXTENSION_OPEN", `extension list "${this.name}" is already open`, {
        fix: `read what plugin "${this.owner}" makes of it, or rename the list`,
      });
    }
    this.owner = owner;
    this.#rules = rules;
    for (const [at, entry] of this.#entries.entries()) {
      this.#assertValid(entry, this.#entries.slice(0, at));
    }
  }

  add(entry: Entry<E>): void {
    this.#assertValid(entry, this.#entries);
    this.#entries = [...this.#entries, entry].toSorted((a, b) => a.rank - b.rank);
  }

  #assertValid({ plugin, value }: Contribution<E>, earlier: readonly Contribution<E>[]): void {
    const problem = this.#rules?.check(value) ?? null;
    if (problem !== null) {
      throw new SiteError(
        "ERR_EXTENSION_INVALID",
        `plugin "${plugin}" adds to the extension list "${this.name}": ${problem}`,
        { fix: "add what the reference of the list shows" },
      );
    }
    if (this.#rules?.isKeyed !== true) return;
    for (const key of Object.keys(Object(value))) {
      const other = earlier.find((one) => Object.hasOwn(Object(one.value), key));
      if (other === undefined) continue;
      throw new SiteError(
        "ERR_EXTENSION_CONFLICT",
        `plugins "${other.plugin}" and "${plugin}" both add ${JSON.stringify(key)} to the extension list "${this.name}"`,
        { fix: "rename one, or select one of the plugins" },
      );
    }
  }

  get plugins(): readonly string[] {
    return this.#entries.map(({ plugin }) => plugin);
  }

  get all(): readonly Contribution<E>[] {
    return this.#entries.filter(({ stats }) => !stats.isOpen());
  }

  get values(): readonly E[] {
    return this.all.map(({ value }) => value);
  }

  each<R>(work: (value: E) => R): R[] {
    const results: R[] = [];
    for (const entry of this.#entries) this.#call(entry, work, (result) => results.push(result));
    return results;
  }

  chain<R>(first: R, work: (value: E, before: R) => R): R {
    let current = first;
    for (const entry of this.#entries) {
      this.#call(
        entry,
        (value) => work(value, current),
        (result) => (current = result),
      );
    }
    return current;
  }

  #call<R>(entry: Entry<E>, work: (value: E) => R, take: (result: R) => void): void {
    if (entry.stats.isOpen()) return;
    const started = performance.now();
    try {
      const result = work(entry.value);
      if (isPromise(result)) {
        // The promise is not awaited: its rejection would end the process.
        Promise.resolve(result).catch(() => undefined);
        throw new SiteError(
          "ERR_EXTENSION_VALUE",
          "it returned a promise; this list takes a value",
          { fix: "prepare the value before, and return it at once" },
        );
      }
      this.#assertResult(result);
      take(result);
      entry.stats.succeeded(performance.now() - started);
    } catch (error) {
      this.#blame(entry, error, performance.now() - started);
    }
  }

  async eachAsync<R>(work: (value: E) => R | Promise<R>): Promise<R[]> {
    const results: R[] = [];
    for (const entry of this.#entries) {
      if (entry.stats.isOpen()) continue;
      const started = performance.now();
      try {
        const result = await within(this.#limitMs, Promise.resolve(work(entry.value)), () => {
          throw new SiteError(
            "ERR_EXTENSION_TIMEOUT",
            `it did not finish within ${this.#limitMs} ms`,
            { fix: "await only what ends in time, or prepare the value before" },
          );
        });
        this.#assertResult(result);
        results.push(result);
        entry.stats.succeeded(performance.now() - started);
      } catch (error) {
        this.#blame(entry, error, performance.now() - started);
      }
    }
    return results;
  }

  #assertResult(result: unknown): void {
    const problem = this.#rules?.result?.(result) ?? null;
    if (problem === null) return;
    throw new SiteError("ERR_EXTENSION_VALUE", `it returned a wrong value: ${problem}`, {
      fix: `return what the list "${this.name}" takes; the reference of extensions shows it`,
    });
  }

  #blame({ plugin, stats }: Entry<E>, error: unknown, ms: number): void {
    stats.failed(ms, messageOf(error));
    this.#log.error("extension.failed", {
      plugin,
      list: this.name,
      ...failureFields(error),
      switchedOff: stats.isOpen(),
    });
    if (!stats.isOpen()) return;
    this.#log.error("extension.switched_off", { plugin, list: this.name, ...SWITCHED_OFF });
  }

  stats(): ExtensionStat[] {
    return this.#entries.map(({ stats }) => {
      const { plugin, calls, errors, open, lastError } = stats.row();
      return { plugin, list: this.name, calls, errors, open, lastError };
    });
  }
}

type ListName = keyof Extensions & string;

const assertOpen = callCheck(
  "extensions.open",
  {
    list: expectText,
    rules: expectFields({
      check: ["function"],
      result: ["function", "nothing"],
      isKeyed: ["boolean", "nothing"],
    }),
  },
  'site.extensions.open("tideSources", { check: expectMethods("next") })',
);
const assertAdd = callCheck(
  "extensions.add",
  { list: expectText },
  'extensions.add("pageHead", () => "<meta …>")',
);

/** The extension lists of one site. Sealed after onReady. */
export class ExtensionLists {
  readonly #lists = new Map<string, List<unknown>>();
  readonly #log: Logger;
  readonly #now: () => number;
  readonly #limitMs: number;
  #sealed = false;

  constructor(log: Logger, now: () => number, limitMs = HANDLER_LIMIT_MS) {
    this.#log = log;
    this.#now = now;
    this.#limitMs = limitMs;
  }

  /** A plugin's view of the lists; `rank` is its position in the plugin order. */
  forPlugin(plugin: string, rank: number): ExtensionRegistry {
    return {
      open: <K extends ListName>(name: K, rules: ExtensionRules) => {
        assertOpen(name, rules);
        const list = this.#list(name);
        list.open(plugin, rules);
        // Contributions of other types are not accepted for this name.
        return list as List<Extensions[K]>;
      },
      add: (name, value) => {
        assertAdd(name);
        if (this.#sealed) {
          throw new SiteError(
            "ERR_SEALED",
            `plugin "${plugin}" adds to the extension list "${name}" after the boot`,
            { fix: "add it in setup" },
          );
        }
        this.#list(name).add({
          plugin,
          rank,
          value,
          stats: new HandlerStats(plugin, name, this.#now),
        });
      },
      list: () => this.list(),
      stats: () => [...this.#lists.values()].flatMap((list) => list.stats()),
    };
  }

  #list(name: string): List<unknown> {
    const list = this.#lists.get(name) ?? new List<unknown>(name, this.#log, this.#limitMs);
    this.#lists.set(name, list);
    return list;
  }

  list(): readonly ExtensionInfo[] {
    return [...this.#lists.values()].flatMap(({ name, owner, plugins }) =>
      owner === null ? [] : [{ list: name, plugin: owner, from: plugins }],
    );
  }

  /**
   * Reports contributions to lists that no selected plugin opens.
   * @throws ERR_EXTENSION_UNKNOWN when the name is almost that of an open list, or that of one of `slots`.
   */
  assertKnown(slots: readonly string[]): void {
    const open = this.list().map(({ list }) => list);
    for (const { name, owner, plugins } of this.#lists.values()) {
      if (owner !== null) continue;
      if (slots.includes(name)) {
        const who = plugins.join('", "');
        throw new SiteError(
          "ERR_EXTENSION_UNKNOWN",
          `plugin "${who}" adds to "${name}", which is a slot for an engine`,
          { fix: `activate the engine: site.engines.activate("${name}", engine)` },
        );
      }
      const hint = nearest(name, open);
      if (hint === null) {
        this.#log.debug("extension.unused", { list: name, plugins });
        continue;
      }
      throw new SiteError(
        "ERR_EXTENSION_UNKNOWN",
        `plugin "${plugins.join('", "')}" adds to the unknown extension list "${name}"`,
        { fix: `did you mean "${hint}"?` },
      );
    }
  }

  seal(): void {
    this.#sealed = true;
  }
}
