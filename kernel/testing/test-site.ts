import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { nearest } from "#lib/values";
import { createEnv } from "../config/env.js";
import type { AnyHook, HookData, HookName, Plugin } from "../contracts.js";
import type { FirstParty } from "../boot/load-site.js";
import { createSite, type Site } from "../boot/create-site.js";
import type { Crash, KernelTestSite, KernelTestSiteOptions, TestHost } from "./contract.js";
import { Faults, type Fault } from "./faults.js";
import { fireHook } from "./fire-hook.js";
import { LeakWatch, type Leak, RecordedLog } from "#lib/testing";
import { loadUnderTest } from "./load-under-test.js";

/** Boots a site on a free port of the loopback interface; resolves when it is ready. */
export async function bootTestSite(
  { firstParty, adapt = (plugin) => plugin }: TestHost,
  options: KernelTestSiteOptions = {},
): Promise<KernelTestSite> {
  const watch = await LeakWatch.start({
    trace: options.traceLeaks === true,
    hidden: import.meta.dirname,
  });
  const faults = new Faults();
  for (const [plugin, hook] of options.crash ?? []) faults.add(plugin, hook);
  const adapted = (plugin: Plugin): Plugin => faults.adapt(adapt(plugin));
  const wrapped: FirstParty = {
    ...firstParty,
    plugins: firstParty.plugins.map(({ name, load }) => ({
      name,
      load: async () => adapted(await load()),
    })),
  };
  const { selection, thirdParty, configs } = await loadUnderTest(options, firstParty);
  const folder = await makeFolder(options);
  const log = new RecordedLog();
  const site = await createSite(folder.root, {
    firstParty: wrapped,
    env: createEnv({ SITE_ENV: "dev", ...options.env }),
    log: options.logger ?? log.logger,
    extraPlugins: thirdParty.map(adapted),
    extraConfigs: configs,
    ...(options.clock && { clock: options.clock }),
    ...(options.handlerLimitMs && { handlerLimitMs: options.handlerLimitMs }),
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

async function makeFolder({ root: existing, files }: KernelTestSiteOptions): Promise<Folder> {
  const root = existing ?? (await mkdtemp(join(tmpdir(), "site-test-")));
  const write = async (file: string, data: string | Buffer): Promise<void> => {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), data);
  };
  if (existing !== undefined) return { root, write, remove: async () => undefined };
  for (const [file, data] of Object.entries({ "site.yaml": "title: Test\n", ...files })) {
    await write(file, data);
  }
  return { root, write, remove: () => rm(root, { recursive: true, force: true, maxRetries: 5 }) };
}

/** A site that fails to start must not keep the test run alive. */
async function readyOrClosed(site: Site): Promise<void> {
  try {
    await site.ready;
  } catch (error) {
    await site.close();
    throw error;
  }
}

interface OpenTestSite {
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
  readonly #open: OpenTestSite;

  constructor(open: OpenTestSite) {
    this.root = open.folder.root;
    this.url = `http://127.0.0.1:${open.port}`;
    this.site = open.site;
    this.log = open.log;
    this.#open = open;
  }

  fetch = (path: string, init?: RequestInit): Promise<Response> =>
    fetch(this.url + path, { redirect: "manual", ...init });

  write = (file: string, data: string | Buffer): Promise<void> =>
    this.#open.folder.write(file, data);

  fire = <H extends AnyHook>(hook: H, data: HookData<H>): Promise<HookData<H>> =>
    fireHook(this.site.context("test").hooks, hook, data);

  crash = async (plugin: string, hook: HookName): Promise<Crash> => {
    const { hooks } = this.site.context("test");
    const listeners = hooks.handlers(hook).map((handler) => handler.plugin);
    if (!listeners.includes(plugin)) {
      const hint = nearest(plugin, listeners) ?? (listeners.join(", ") || "none");
      throw new Error(`plugin "${plugin}" has no handler for ${hook}; listening: ${hint}`);
    }
    const fault = this.#open.faults.add(plugin, hook);
    await this.#assertAlive(plugin, hook);
    return this.#describeCrash(plugin, hook, fault);
  };

  leaks = async (): Promise<readonly Leak[]> => {
    await this.close();
    return this.#open.watch.left();
  };

  close = async (): Promise<void> => {
    await this.site.close();
    await this.#open.folder.remove();
  };

  [Symbol.asyncDispose] = (): Promise<void> => this.close();

  #describeCrash(plugin: string, hook: HookName, fault: Fault): Crash {
    const { hooks } = this.site.context("test");
    return {
      get thrown() {
        return fault.thrown;
      },
      get switchedOff() {
        return hooks.stats().some((at) => at.plugin === plugin && at.hook === hook && at.open);
      },
      repair: () => this.#open.faults.remove(plugin, hook),
    };
  }

  /** Any response but 5xx passes: that would mean the plugin broke the site. */
  async #assertAlive(plugin: string, hook: HookName): Promise<void> {
    const { status } = await this.fetch("/");
    if (status < 500) return;
    throw new Error(`with "${plugin}" throwing in ${hook} the site responds to / with ${status}`);
  }
}
