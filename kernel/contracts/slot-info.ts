/** An engine slot, the plugin that opened it, and what is registered. */
export interface EngineInfo {
  readonly slot: string;
  readonly plugin: string;
  readonly engines: readonly string[];
  readonly active: string | null;
}
/** An extension list, the plugin that opened it, and the plugins that add to it. */
export interface ExtensionInfo {
  readonly list: string;
  readonly plugin: string;
  readonly from: readonly string[];
}
/** Calls and failures of a contribution. */
export interface ExtensionStat {
  readonly plugin: string;
  readonly list: string;
  /** The key of a part of a keyed list; null for a whole contribution. */
  readonly key: string | null;
  readonly calls: number;
  readonly errors: number;
  /** True while it is switched off. */
  readonly open: boolean;
  readonly lastError: string | null;
}
