/** A slot, the plugin that opened it, and what fills it. */
export interface SlotInfo {
  readonly slot: string;
  readonly plugin: string;
  readonly engines: readonly string[];
  readonly active: string | null;
}
