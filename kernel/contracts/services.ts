/** What plugins offer each other: services, and slots with several implementations. */
import type { JobStore } from "./jobs.js";
import type { ChangeAnnouncer, WriteLock } from "./nodes.js";
import type { RecordStore } from "./records.js";
import type { SlotInfo } from "./slot-info.js";

/** Plugin name to the service it provides with `site.provide(name, service)`. */
export interface Services {}
/** Slot name to the contract of its engines. */
export interface Engines {
  /**
   * Built in: `files`.
   *
   * @example
   * import type { JobStore } from "sitewright/plugins";
   * declare const shared: JobStore; // a store on another server
   * site.engines.fill("jobs", shared);
   */
  jobs: JobStore;
  /**
   * Serialises writes of pages and records among processes. Built in: `process`, for one process.
   *
   * @example
   * let tail: Promise<unknown> = Promise.resolve();
   * site.engines.fill("writeLock", {
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
   * site.engines.fill("changeAnnouncer", {
   *   announce: async (batch) => {
   *     site.log.debug("feed.batch", { changes: batch.changes.length, found: batch.isFound });
   *     return [batch];
   *   },
   * });
   */
  changeAnnouncer: ChangeAnnouncer;
  /**
   * Stores API tokens, the audit log, deliveries of webhooks and search analytics. Built in: `files`.
   *
   * @example
   * import type { RecordStore } from "sitewright/plugins";
   * declare const shared: RecordStore; // a store on another server
   * site.engines.fill("records", shared);
   */
  records: RecordStore;
}
/** A slot with several implementations and one active. */
export interface EngineSlot<E> {
  /** Adds an implementation. @throws ERR_ENGINE_DUPLICATE, or ERR_SEALED after the boot. */
  register(name: string, engine: E): void;
  /** Activates `name`. @throws ERR_ENGINE_UNKNOWN, listing the registered ones. */
  activate(name: string): void;
  /** The active implementation. @throws ERR_ENGINE_NONE. */
  readonly active: E;
  /** Name of the active implementation; null until one is activated. */
  readonly activeName: string | null;
  readonly names: readonly string[];
  /** All implementations, in the order of registration: for slots that use every one. */
  readonly all: readonly E[];
  get(name: string): E | undefined;
}
/** The slots of a site. */
export interface EngineRegistry {
  /** Opens a slot; only the plugin that uses it does. @throws ERR_ENGINE_SLOT_OPEN when it is open. */
  open<K extends keyof Engines & string>(slot: K): EngineSlot<Engines[K]>;
  /** An open slot. @throws ERR_ENGINE_SLOT_UNKNOWN. */
  slot<K extends keyof Engines & string>(slot: K): EngineSlot<Engines[K]>;
  /**
   * Registers an implementation under the name of the plugin, and activates it. Without effect when no
   * selected plugin opens the slot; a plugin that fills it names that one in `requires` or `after`.
   * @throws ERR_ENGINE_DUPLICATE, ERR_SEALED.
   */
  fill<K extends keyof Engines & string>(slot: K, engine: Engines[K]): void;
  /** The open slots, in the order of opening. */
  list(): readonly SlotInfo[];
}
