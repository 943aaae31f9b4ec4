import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createEnv } from "../config/env.js";
import type { Clock, ConfigFile, HookData, HookName, Logger, Plugin } from "../contracts.js";
import type { House } from "../load-site.js";
import { nearest } from "../nearest.js";
import { createSite, type Site } from "../site.js";
import { Faults, type Fault } from "./faults.js";
import { fireHook } from "./fire-hook.js";
import { LeakWatch, type Leak } from "./leaks.js";
import { loadUnderTest, type PluginUnderTest } from "./load-under-test.js";
import { RecordedLog } from "./recorded-log.js";

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
export interface KernelTestSite {
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
  /** Stops the site and removes its folder. */
  close(): Promise<void>;
}
/** What a host brings: its plugins, and a change to each before it is set up. */
export interface TestHouse {
  house: House;
  adapt?(plugin: Plugin): Plugin;
}

/** Boots a site on a free port of the loopback interface; it is ready when this resolves. */
export async function bootTestSite(
  { house, adapt = (plugin) => plugin }: TestHouse,
  options: KernelTestSiteOptions = {},
): Promise<KernelTestSite> {
  const watch = await LeakWatch.start({ trace: options.traceLeaks === true });
  const faults = new Faults();
  for (const [plugin, hook] of options.crash ?? []) faults.add(plugin, hook);
  const adapted = (plugin: Plugin): Plugin => faults.adapt(adapt(plugin));
  const wrapped: House = {
    ...house,
    plugins: house.plugins.map(({ name, load }) => ({
      name,
      load: async () => adapted(await load()),
    })),
  };
  const { selection, given, configs } = await loadUnderTest(options, house);
  const folder = await makeFolder(options);
  const log = new RecordedLog();
  const site = await createSite(folder.root, {
    house: wrapped,
    env: createEnv({ SITE_ENV: "dev", ...options.env }),
    log: options.logger ?? log.logger,
    extraPlugins: given.map(adapted),
    extraConfigs: configs,
    ...(options.clock && { clock: options.clock }),
    ...(selection && { selection }),
    ...(options.config && { overrides: options.config }),
  });
  const port = await site.listen(0);
  await readyOrClosed(site);
  return new RunningTestSite({ site, log, watch, faults, folder, port });
}

interface Folder {
  root: string;
  write(file: string, data: string | Buffer): Promise<void>;
  remove(): Promise<void>;
}

async function makeFolder({ root: given, files }: KernelTestSiteOptions): Promise<Folder> {
  const root = given ?? (await mkdtemp(join(tmpdir(), "site-test-")));
  const write = async (file: string, data: string | Buffer): Promise<void> => {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), data);
  };
  if (given !== undefined) return { root, write, remove: async () => undefined };
  for (const [file, data] of Object.entries({ "site.yaml": "title: Test\n", ...files })) {
    await write(file, data);
  }
  return { root, write, remove: () => rm(root, { recursive: true, force: true, maxRetries: 5 }) };
}

/** A site that cannot start must not keep the test run alive. */
async function readyOrClosed(site: Site): Promise<void> {
  try {
    await site.ready;
  } catch (error) {
    await site.close();
    throw error;
  }
}

interface Parts {
  site: Site;
  log: RecordedLog;
  watch: LeakWatch;
  faults: Faults;
  folder: Folder;
  port: number;
}

class RunningTestSite implements KernelTestSite {
  readonly root: string;
  readonly url: string;
  readonly site: Site;
  readonly log: RecordedLog;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.root = parts.folder.root;
    this.url = `http://127.0.0.1:${parts.port}`;
    this.site = parts.site;
    this.log = parts.log;
    this.#parts = parts;
  }

  fetch = (path: string, init?: RequestInit): Promise<Response> =>
    fetch(this.url + path, { redirect: "manual", ...init });

  write = (file: string, data: string | Buffer): Promise<void> =>
    this.#parts.folder.write(file, data);

  fire = <N extends HookName>(hook: N, data: HookData<N>): Promise<HookData<N>> =>
    fireHook(this.site.context("test").hooks, hook, data);

  crash = async (plugin: string, hook: HookName): Promise<Crash> => {
    const { hooks } = this.site.context("test");
    const listeners = hooks.handlers(hook).map((handler) => handler.plugin);
    if (!listeners.includes(plugin)) {
      const hint = nearest(plugin, listeners) ?? (listeners.join(", ") || "nobody");
      throw new Error(`plugin "${plugin}" has no handler for ${hook}; listening: ${hint}`);
    }
    const fault = this.#parts.faults.add(plugin, hook);
    await this.#assertAlive(plugin, hook);
    return this.#describeCrash(plugin, hook, fault);
  };

  leaks = async (): Promise<readonly Leak[]> => {
    await this.close();
    return this.#parts.watch.left();
  };

  close = async (): Promise<void> => {
    await this.site.close();
    await this.#parts.folder.remove();
  };

  #describeCrash(plugin: string, hook: HookName, fault: Fault): Crash {
    const { hooks } = this.site.context("test");
    return {
      get thrown() {
        return fault.thrown;
      },
      get switchedOff() {
        return hooks.stats().some((at) => at.plugin === plugin && at.hook === hook && at.open);
      },
      mend: () => this.#parts.faults.remove(plugin, hook),
    };
  }

  /** Whatever the answer is, an answer it must be: a 5xx says that a plugin took the site along. */
  async #assertAlive(plugin: string, hook: HookName): Promise<void> {
    const { status } = await this.fetch("/");
    if (status < 500) return;
    throw new Error(`with "${plugin}" throwing in ${hook} the site answers / with ${status}`);
  }
}
