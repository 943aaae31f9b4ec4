/** Sites for tests: the public types. */
import type {
  AnyHook,
  Clock,
  ConfigFile,
  HookData,
  HookName,
  Logger,
  Plugin,
} from "../contracts.js";
import type { FirstParty } from "../boot/load-site.js";
import type { Site } from "../boot/create-site.js";
import type { Leak, RecordedLog } from "#lib/testing";
import type { PluginUnderTest } from "./load-under-test.js";

/** Options of a test site. */
export interface KernelTestSiteOptions {
  /** Relative path to text or bytes. A `site.yaml` with a title is created when absent. */
  files?: Readonly<Record<string, string | Buffer>>;
  /**
   * First-party plugins by name, with what they and the others require; all of them when none is named.
   * Others as objects, or by the file that exports them; with their `config:` block.
   */
  plugins?: readonly PluginUnderTest[];
  /** Exactly these first-party plugins, with what they require, instead of those named in `plugins`. */
  selection?: readonly string[];
  /** Settings that override the files: `{ site: { title: "…" }, system: { … }, admin: { … } }`. */
  config?: { [F in ConfigFile]?: Record<string, unknown> };
  /** The environment variables; those of the process are hidden. `SITE_ENV` is `dev` when absent. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Default: the real time. `testClock` creates a frozen one. */
  clock?: Clock;
  /** Default: lines are recorded in `site.log`. */
  logger?: Logger;
  /** Handlers that throw from the start: the only way to break handlers of startup hooks. */
  crash?: readonly (readonly [plugin: string, hook: HookName])[];
  /** Time limit of a handler of a hook, in ms: a short one for tests of handlers that hang. Default: 5,000. */
  handlerLimitMs?: number;
  /** Records where timers, servers and watchers are created, for `leaks`. Slow. */
  traceLeaks?: boolean;
  /** A folder to boot again instead of a new one; `close` does not delete it. */
  root?: string;
}
/** A handler broken by `crash`. */
export interface Crash {
  /** Number of times that it has thrown since. */
  readonly thrown: number;
  /** True while the breaker has disabled it. */
  readonly switchedOff: boolean;
  /** Repairs the handler (it runs when the breaker allows it). */
  repair(): void;
}
/** A running site on a temporary folder. */
export interface KernelTestSite extends AsyncDisposable {
  readonly root: string;
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  readonly site: Site;
  /** Recorded log lines, unless `logger` was given. */
  readonly log: RecordedLog;
  /** `fetch` on the site; does not follow redirects. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Writes a file below the root. */
  write(file: string, data: string | Buffer): Promise<void>;
  /**
   * Fires a hook with a payload and resolves with it once every handler is done.
   * @throws for a hook that no selected plugin declares, and what a handler of a startup hook throws.
   */
  fire<H extends AnyHook>(hook: H, data: HookData<H>): Promise<HookData<H>>;
  /**
   * Makes a plugin's handler throw and checks that the site still responds.
   * @throws when the plugin has no such handler.
   */
  crash(plugin: string, hook: HookName): Promise<Crash>;
  /** Closes the site and lists what it left open: empty for a correct plugin. */
  leaks(): Promise<readonly Leak[]>;
  /** Closes the site and deletes its folder; called at the end of an `await using` block too. */
  close(): Promise<void>;
}
/** The plugins of a host, and a change to each before it is set up. */
export interface TestHost {
  firstParty: FirstParty;
  adapt?(plugin: Plugin): Plugin;
}
