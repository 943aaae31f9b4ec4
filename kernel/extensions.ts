import { isPromise, expectText, nearest, expectFields } from "#lib/values";
import { SiteError, messageOf } from "#lib/errors";
import { within } from "#lib/concurrency";
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
import { callCheck } from "./call-check.js";
import { failureFields } from "./boot/describe-failure.js";
import { HANDLER_LIMIT_MS } from "./hooks/hook-call.js";
import { HandlerStats, SWITCHED_OFF } from "./hooks/hook-stats.js";

/** Time for which a response without a part that failed may be cached, in ms: as long as a part is switched off. */
export const FAILED_PART_MS = SWITCHED_OFF.seconds * 1_000;

/** Names a list, or a part of a keyed one, in reports: `pageIncludes words`. */
export function partName({ list, key }: Pick<ExtensionStat, "list" | "key">): string {
  return key === null ? list : `${list} ${key}`;
}

/** A list applies these rules to the calls of its contributions. */
interface CallRules {
  readonly limitMs: number;
  /** @throws ERR_EXTENSION_VALUE. */
  assertResult(result: unknown): void;
  blame(entry: Blamed, error: unknown, ms: number): void;
}
/** The contribution that a logged failure names. */
interface Blamed {
  readonly plugin: string;
  readonly key: string | null;
  readonly stats: HandlerStats;
}

type Attempt<R> = { readonly result: R } | { readonly error: unknown };

/** A contribution, or one part of it in a keyed list, with its failures. */
class Entry<E> implements Contribution<E>, Blamed {
  readonly plugin: string;
  readonly key: string | null;
  readonly value: E;
  readonly stats: HandlerStats;
  readonly #rules: CallRules;

  constructor(
    { plugin, key, value }: Pick<Contribution<E>, "plugin" | "key" | "value">,
    stats: HandlerStats,
    rules: CallRules,
  ) {
    this.plugin = plugin;
    this.key = key;
    this.value = value;
    this.stats = stats;
    this.#rules = rules;
  }

  async call<R>(work: (value: E) => R | Promise<R>, failed: (error: unknown) => R): Promise<R> {
    const done = await this.attempt(work);
    return "result" in done ? done.result : failed(done.error);
  }

  /** The result of `work`, or its error, which is null while the value is switched off. */
  async attempt<R>(work: (value: E) => R | Promise<R>): Promise<Attempt<R>> {
    if (this.stats.isOpen()) return { error: null };
    const { limitMs } = this.#rules;
    const started = performance.now();
    try {
      const result = await within(limitMs, Promise.resolve(work(this.value)), () => {
        throw new SiteError("ERR_EXTENSION_TIMEOUT", `it did not finish within ${limitMs} ms`, {
          fix: "await only what ends in time, and give each request a time limit; jobs do long work",
        });
      });
      this.#rules.assertResult(result);
      this.stats.succeeded(performance.now() - started);
      return { result };
    } catch (error) {
      this.#rules.blame(this, error, performance.now() - started);
      return { error };
    }
  }

  /** The same for work that must return at once. */
  attemptNow<R>(work: (value: E) => R): Attempt<R> {
    if (this.stats.isOpen()) return { error: null };
    const started = performance.now();
    try {
      const result = work(this.value);
      if (isPromise(result)) {
        // The promise is not awaited: its rejection would end the process.
        Promise.resolve(result).catch(() => undefined);
        throw new SiteError(
          "ERR_EXTENSION_VALUE",
          "it returned a promise; this list takes a value",
          { fix: "prepare the value before, and return it at once" },
        );
      }
      this.#rules.assertResult(result);
      this.stats.succeeded(performance.now() - started);
      return { result };
    } catch (error) {
      this.#rules.blame(this, error, performance.now() - started);
      return { error };
    }
  }
}

/** A contribution to a list, and its parts if the list is keyed. */
interface Added<E> {
  readonly entry: Entry<E>;
  /** Position of the plugin in the plugin order. */
  readonly rank: number;
  parts: readonly Entry<E[keyof E]>[];
}

/** A list: contributions in plugin order, and the plugin that reads them once it has opened the list. */
class List<E> implements ExtensionList<E>, CallRules {
  readonly name: string;
  owner: string | null = null;
  readonly #site: ListSite;
  #rules: ExtensionRules | null = null;
  #added: readonly Added<E>[] = [];

  constructor(name: string, site: ListSite) {
    this.name = name;
    this.#site = site;
  }

  open(owner: string, rules: ExtensionRules): void {
    if (this.owner !== null) {
      throw new SiteError("ERR_EXTENSION_OPEN", `extension list "${this.name}" is already open`, {
        fix: `read what plugin "${this.owner}" makes of it, or rename the list`,
      });
    }
    this.owner = owner;
    this.#rules = rules;
    for (const [at, added] of this.#added.entries()) {
      this.#accept(added, this.#added.slice(0, at));
    }
  }

  add(plugin: string, rank: number, value: E): void {
    const stats = new HandlerStats(plugin, this.name, this.#site.now);
    const entry = new Entry({ plugin, key: null, value }, stats, this);
    const added: Added<E> = { entry, rank, parts: [] };
    this.#accept(added, this.#added);
    this.#added = [...this.#added, added].toSorted((a, b) => a.rank - b.rank);
  }

  /** @throws ERR_EXTENSION_INVALID, ERR_EXTENSION_CONFLICT. */
  #accept(added: Added<E>, earlier: readonly Added<E>[]): void {
    const { plugin, value } = added.entry;
    const problem = this.#rules?.check(value) ?? null;
    if (problem !== null) {
      throw new SiteError(
        "ERR_EXTENSION_INVALID",
        `plugin "${plugin}" adds to the extension list "${this.name}": ${problem}`,
        { fix: this.#rules?.fix ?? "add what the reference of the list shows" },
      );
    }
    if (this.#rules?.isKeyed !== true) return;
    added.parts = Object.entries<E[keyof E]>(Object(value)).map(([key, part]) => {
      const stats = new HandlerStats(plugin, this.name, this.#site.now);
      return new Entry({ plugin, key, value: part }, stats, this);
    });
    const taken = earlier.flatMap(({ parts }) => parts);
    for (const { key } of added.parts) {
      const other = taken.find((one) => one.key === key);
      if (other === undefined) continue;
      if (other.plugin === plugin) {
        throw new SiteError(
          "ERR_EXTENSION_CONFLICT",
          `plugin "${plugin}" adds ${JSON.stringify(key)} twice to the extension list "${this.name}"`,
          { fix: "add it once" },
        );
      }
      throw new SiteError(
        "ERR_EXTENSION_CONFLICT",
        `plugins "${other.plugin}" and "${plugin}" both add ${JSON.stringify(key)} to the extension list "${this.name}"`,
        { fix: "rename one, or select one of the plugins" },
      );
    }
  }

  get plugins(): readonly string[] {
    return this.#added.map(({ entry }) => entry.plugin);
  }

  get #entries(): readonly Entry<E>[] {
    return this.#added.map(({ entry }) => entry);
  }

  get #parts(): readonly Entry<E[keyof E]>[] {
    return this.#added.flatMap(({ parts }) => parts);
  }

  get all(): readonly Contribution<E>[] {
    return this.#entries;
  }

  get values(): readonly E[] {
    return this.all.map(({ value }) => value);
  }

  get keys(): readonly string[] {
    return this.#parts.flatMap(({ key }) => key ?? []);
  }

  part(key: string): Contribution<E[keyof E]> | undefined {
    return this.#parts.find((part) => part.key === key);
  }

  each<R>(work: (value: E) => R): R[] {
    return this.#entries.flatMap((entry) => {
      const done = entry.attemptNow(work);
      return "result" in done ? [done.result] : [];
    });
  }

  chain<R>(first: R, work: (value: E, before: R) => R): R {
    let current = first;
    for (const entry of this.#entries) {
      const done = entry.attemptNow((value) => work(value, current));
      if ("result" in done) current = done.result;
    }
    return current;
  }

  async eachAsync<R>(work: (value: E) => R | Promise<R>): Promise<R[]> {
    const results: R[] = [];
    for (const entry of this.#entries) {
      const done = await entry.attempt(work);
      if ("result" in done) results.push(done.result);
    }
    return results;
  }

  get limitMs(): number {
    return this.#site.limitMs ?? this.#rules?.limitMs ?? HANDLER_LIMIT_MS;
  }

  assertResult(result: unknown): void {
    const problem = this.#rules?.result?.(result) ?? null;
    if (problem === null) return;
    throw new SiteError("ERR_EXTENSION_VALUE", `it returned a wrong value: ${problem}`, {
      fix: `return what the list "${this.name}" takes; the reference of extensions shows it`,
    });
  }

  blame({ plugin, key, stats }: Blamed, error: unknown, ms: number): void {
    stats.failed(ms, messageOf(error));
    const who = { plugin, list: this.name, ...(key !== null && { key }) };
    const { log } = this.#site;
    log.error("extension.failed", {
      ...who,
      ...failureFields(error),
      switchedOff: stats.isOpen(),
    });
    if (stats.isOpen()) log.error("extension.switched_off", { ...who, ...SWITCHED_OFF });
  }

  stats(): ExtensionStat[] {
    const called = this.#rules?.isKeyed === true ? this.#parts : this.#entries;
    return called.map(({ key, stats }) => {
      const { plugin, calls, errors, open, lastError } = stats.row();
      return { plugin, list: this.name, key, calls, errors, open, lastError };
    });
  }
}

/** The parts of a site that its lists use. */
interface ListSite {
  readonly log: Logger;
  readonly now: () => number;
  /** Time limit of a call, in ms, in place of those of the lists. */
  readonly limitMs: number | undefined;
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
  'site.extensions.open("tideSources", { check: expectMethods(["next"]) })',
);
const assertAdd = callCheck(
  "extensions.add",
  { list: expectText },
  'extensions.add("pageHead", () => "<meta …>")',
);

/** The extension lists of one site. Sealed after onReady. */
export class ExtensionLists {
  readonly #lists = new Map<string, List<unknown>>();
  readonly #site: ListSite;
  #sealed = false;

  constructor(log: Logger, now: () => number, limitMs?: number) {
    this.#site = { log, now, limitMs };
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
        this.#list(name).add(plugin, rank, value);
      },
      list: () => this.list(),
      stats: () => [...this.#lists.values()].flatMap((list) => list.stats()),
    };
  }

  #list(name: string): List<unknown> {
    const list = this.#lists.get(name) ?? new List<unknown>(name, this.#site);
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
        this.#site.log.debug("extension.unused", { list: name, plugins });
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
