/** What plugins offer one another: services, and slots with several implementations. */
import type { JobStore } from "./jobs.js";

/** Plugin name to the service it provides with `site.provide(name, service)`. */
export interface Services {}
/** Slot name to the contract its engines fulfil. */
export interface Engines {
  /** Where jobs are stored and which process runs them; built in: `files`. */
  jobs: JobStore;
}
/** A slot with several implementations and one active. */
export interface EngineSlot<E> {
  /** Adds an implementation. Throws ERR_ENGINE_DUPLICATE, or ERR_SEALED after the boot. */
  register(name: string, engine: E): void;
  /** Makes `name` the active one. Throws ERR_ENGINE_UNKNOWN, naming what is registered. */
  activate(name: string): void;
  /** The active implementation. Throws ERR_ENGINE_NONE. */
  readonly active: E;
  /** Name of the active implementation, null while none is. */
  readonly activeName: string | null;
  readonly names: readonly string[];
  get(name: string): E | undefined;
}
/** The slots of a site. */
export interface EngineRegistry {
  /** Opens a slot; only the plugin that uses it does. Throws ERR_ENGINE_SLOT_OPEN when it is open. */
  open<K extends keyof Engines & string>(slot: K): EngineSlot<Engines[K]>;
  /** An open slot. Throws ERR_ENGINE_SLOT_UNKNOWN. */
  slot<K extends keyof Engines & string>(slot: K): EngineSlot<Engines[K]>;
}
