/** Plugins offer each other services, engines of which one is active, and extensions that all apply. */
import type { ValueCheck } from "#lib/values";
import type { ChangeStore } from "./change-feed.js";
import type { Authorization } from "./http.js";
import type { ChangeAnnouncer, Leader, WriteLock } from "./nodes.js";
import type { EngineInfo, ExtensionInfo, ExtensionStat } from "./slot-info.js";

/** Plugin name to the service it provides with `site.provide(name, service)`. */
export interface Services {}
/** Slot name to the contract of its engines, of which one is active. */
export interface Engines {
  /**
   * Serialises writes of pages and records among processes. Built in: `process`, for one process.
   *
   * @example
   * let tail: Promise<unknown> = Promise.resolve();
   * site.engines.activate("writeLock", {
   *   run: (work) => {
   *     const mine = tail.then(() => work(() => undefined));
   *     tail = mine.catch(() => undefined);
   *     return mine;
   *   },
   * });
   */
  writeLock: WriteLock;
  /**
   * Passes changes to other nodes and decides which node announces them. Built in: `process`, which
   * announces everything.
   *
   * @example
   * site.engines.activate("changeAnnouncer", {
   *   announce: async (batch) => {
   *     site.log.debug("feed.batch", { changes: batch.changes.length, found: batch.isFound });
   *     return [batch];
   *   },
   * });
   */
  changeAnnouncer: ChangeAnnouncer;
  /**
   * Decides which of the processes of a site root announces what each of them finds. Built in: `process`,
   * for one process; the plugin `jobs` lets the process lead that runs the jobs.
   *
   * @example
   * site.engines.activate("leader", { claim: async () => true }, { wraps: "jobs" });
   */
  leader: Leader;
  /**
   * Stores what `site.changes.journal` returns. Built in: `memory`, until the process ends; the plugin `records`
   * has one that lasts.
   *
   * @example
   * import type { ChangeStore } from "sitewright";
   * declare const shared: ChangeStore; // a store on another server
   * site.engines.activate("changeStore", shared, { wraps: "records" });
   */
  changeStore: ChangeStore;
  /**
   * Checks the `permission` of routes. Built in: none; the plugin `admin` has one.
   *
   * @example
   * import { HttpError } from "sitewright";
   * site.engines.activate("authorization", {
   *   permissions: ["orders.read"],
   *   authorize: async (req) => {
   *     if (req.get("x-proxy-role") !== "staff") throw new HttpError(403, "only for staff");
   *   },
   * });
   */
  authorization: Authorization;
}
/** List name to what plugins add to it; all contributions apply. Filled by each `contract.ts`. */
export interface Extensions {}

/** A method of an engine, as the plugin of the slot relies on it. */
export interface EngineCall {
  /** Checks what the method returns, or resolves with. */
  result: ValueCheck;
  /** Milliseconds after which the call fails. Default: no limit. */
  limitMs?: number;
  /** The methods of an object that the method returns. */
  calls?: Readonly<Record<string, EngineCall>>;
}
/** Methods of the engines of a slot, by name. */
export type EngineCalls<E> = { readonly [M in keyof E]?: EngineCall };

/** A slot with several implementations and one active. */
export interface EngineSlot<E> {
  /**
   * Adds an implementation.
   * @throws ERR_ENGINE_INVALID for a missing method and a member of another type; ERR_ENGINE_DUPLICATE;
   * ERR_SEALED after the boot.
   */
  register(name: string, engine: E): void;
  /**
   * Activates `name`.
   * @throws ERR_ENGINE_UNKNOWN, listing the registered ones; ERR_ENGINE_CONFLICT when another plugin has
   * activated one.
   */
  activate(name: string): void;
  /**
   * The active implementation. The calls of one that another plugin registered are checked, where the slot was
   * opened with `calls`. @throws ERR_ENGINE_NONE.
   */
  readonly active: E;
  /** Name of the active implementation; null until one is activated. */
  readonly activeName: string | null;
  /** The plugin that registered the active implementation; null until one is activated. */
  readonly activePlugin: string | null;
  /** Names of the registered implementations. */
  readonly names: readonly string[];
  get(name: string): E | undefined;
}
/** The engine slots of a site. */
export interface EngineRegistry {
  /**
   * Opens a slot; only the plugin that uses it does. `check` runs on every engine that is registered. A call of
   * an engine of another plugin that throws, takes too long or returns a wrong value fails with ERR_ENGINE_FAILED
   * or ERR_ENGINE_VALUE, which name slot, method, engine and plugin; a `SiteError` stays as it is. `calls` lists
   * the methods that are watched so.
   * @throws ERR_ENGINE_SLOT_OPEN when it is open.
   */
  open<K extends keyof Engines & string>(
    slot: K,
    check: ValueCheck,
    calls?: EngineCalls<Engines[K]>,
  ): EngineSlot<Engines[K]>;
  /** An open slot. @throws ERR_ENGINE_SLOT_UNKNOWN. */
  slot<K extends keyof Engines & string>(slot: K): EngineSlot<Engines[K]>;
  /**
   * Registers an implementation under the name of the plugin, and activates it. `wraps`: the name of the
   * active engine that it stands on; without it, a slot that another plugin has chosen stays as it is. The
   * plugin that opens the slot is named in `requires` or `after`.
   * @throws ERR_ENGINE_SLOT_UNKNOWN, ERR_ENGINE_INVALID, ERR_ENGINE_CONFLICT, ERR_ENGINE_DUPLICATE, ERR_SEALED.
   */
  activate<K extends keyof Engines & string>(
    slot: K,
    engine: Engines[K],
    options?: { wraps?: string | null },
  ): void;
  /** The open slots, in the order of opening. */
  list(): readonly EngineInfo[];
}

/** The contribution of one plugin to a list, or one part of it in a keyed list. */
export interface Contribution<E> {
  readonly plugin: string;
  /** The key of a part; null for a whole contribution. */
  readonly key: string | null;
  readonly value: E;
  /**
   * Calls `work` with the value, within the time limit of the list. When that throws, takes longer, or gives a
   * result that fails the check of the list, and while the value is switched off: what `failed` returns, which
   * gets the error (null while it is switched off). Each failure is logged with plugin, list and key; after five
   * in a row the value is switched off for a minute.
   */
  call<R>(work: (value: E) => R | Promise<R>, failed: (error: unknown) => R): Promise<R>;
}
/** A list to which plugins add; its plugin reads it. */
export interface ExtensionList<E> {
  /** In plugin order, also those that are switched off: `call` looks after that. */
  readonly all: readonly Contribution<E>[];
  /** The values of `all`. */
  readonly values: readonly E[];
  /**
   * Calls `work` with each value. One that throws, or whose result fails the check of the list, is logged
   * with its plugin and left out; after five failures in a row it is switched off for a minute.
   */
  each<R>(work: (value: E) => R): R[];
  /** The same for work that takes time, one after the other; each has the time limit of the list. */
  eachAsync<R>(work: (value: E) => R | Promise<R>): Promise<R[]>;
  /** Passes a value through all of them: one that fails leaves it as it was. */
  chain<R>(first: R, work: (value: E, before: R) => R): R;
  /** The keys of a keyed list, in plugin order; also of parts that are switched off. */
  readonly keys: readonly string[];
  /** The part of a keyed list that has this key. */
  part(key: string): Contribution<E[keyof E]> | undefined;
}
/** The rules of a list. */
export interface ExtensionRules {
  /** Runs on every contribution when it is added. */
  check: ValueCheck;
  /** Says what to do about a contribution that fails it. Default: to look at the reference of the list. */
  fix?: string;
  /** Runs on what a contribution returns, in `each`, `eachAsync`, `chain` and `call`. */
  result?: ValueCheck;
  /** True: contributions are objects, of whose keys each belongs to one plugin; see `part`. */
  isKeyed?: boolean;
  /** Time limit of a call in `eachAsync` and `call`, in ms. Default: 5,000. */
  limitMs?: number;
}
/** The extension lists of a site. */
export interface ExtensionRegistry {
  /** Opens a list; only the plugin that uses it does. @throws ERR_EXTENSION_OPEN, ERR_EXTENSION_INVALID. */
  open<K extends keyof Extensions & string>(
    list: K,
    rules: ExtensionRules,
  ): ExtensionList<Extensions[K]>;
  /**
   * Adds to a list, in `setup` or later until the site is ready. Without effect when the plugin that uses
   * the list is not selected. @throws ERR_EXTENSION_INVALID, ERR_EXTENSION_CONFLICT, ERR_SEALED.
   */
  add<K extends keyof Extensions & string>(list: K, value: Extensions[K]): void;
  /** The open lists, in the order of opening. */
  list(): readonly ExtensionInfo[];
  /** Calls and failures of each contribution, in keyed lists of each part. */
  stats(): readonly ExtensionStat[];
}
