/** Sites for tests, as whoever writes a test sees them. */
import type { Clock, ConfigFile, HookData, HookName, Logger, Plugin } from "../contracts.js";
import type { House } from "../load-site.js";
import type { Site } from "../site.js";
import type { Leak } from "./leaks.js";
import type { PluginUnderTest } from "./load-under-test.js";
import type { RecordedLog } from "./recorded-log.js";

/** How a site for a test is made. */
export interface KernelTestSiteOptions {
  /** Relative path to text or bytes. `site.yaml` with a title is made when absent. */
  files?: Readonly<Record<string, string | Buffer>>;
  /**
   * Plugins of the house by name, with what they and the others require; when none is named, all of
   * them. Others as objects, or by the file that exports them; with their `config:` block.
   */
  plugins?: readonly PluginUnderTest[];
  /** Exactly these of the house, with what is required, instead of those that `plugins` names. */
  selection?: readonly string[];
  /** Settings above the files: `{ site: { title: "…" }, system: { … }, admin: { … } }`. */
  config?: { [F in ConfigFile]?: Record<string, unknown> };
  /** The environment; nothing of the process's own is seen. `SITE_ENV` is `dev` when absent. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Default: the real time. `testClock` makes one that stands still. */
  clock?: Clock;
  /** Default: lines are kept in `site.log`. */
  logger?: Logger;
  /** Handlers that throw from the start: those of start-up hooks can only be broken here. */
  crash?: readonly (readonly [plugin: string, hook: HookName])[];
  /** Notes where timers, servers and watchers are made, for `leaks`. Slows everything down. */
  traceLeaks?: boolean;
  /** A folder to boot again instead of a new one; it is then kept by `close`. */
  root?: string;
}
/** A handler that `crash` has broken. */
export interface Crash {
  /** How often it has thrown since. */
  readonly thrown: number;
  /** True while the breaker keeps it switched off. */
  readonly switchedOff: boolean;
  /** It works again (once the breaker lets it). */
  mend(): void;
}
/** A running site on a temporary folder. */
export interface KernelTestSite extends AsyncDisposable {
  readonly root: string;
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  readonly site: Site;
  /** What was logged, unless `logger` was given. */
  readonly log: RecordedLog;
  /** `fetch` on the site; redirects are not followed. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Writes a file below the root. */
  write(file: string, data: string | Buffer): Promise<void>;
  /**
   * Fires a hook with a payload and resolves with it once every handler is done. Throws for a hook
   * that no selected plugin declares; of a start-up hook, what a handler throws.
   */
  fire<N extends HookName>(hook: N, data: HookData<N>): Promise<HookData<N>>;
  /**
   * Makes a plugin's handler throw and checks that the site still answers. Throws when the plugin
   * has no such handler.
   */
  crash(plugin: string, hook: HookName): Promise<Crash>;
  /** Closes the site and tells what it left behind: an empty list is what a plugin owes. */
  leaks(): Promise<readonly Leak[]>;
  /** Stops the site and removes its folder; the end of the block of an `await using` does it too. */
  close(): Promise<void>;
}
/** What a host brings: its plugins, and a change to each before it is set up. */
export interface TestHouse {
  house: House;
  adapt?(plugin: Plugin): Plugin;
}
