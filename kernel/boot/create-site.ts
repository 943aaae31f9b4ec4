import { resolve } from "node:path";
import { SiteError } from "#lib/errors";
import type { Workers, Logger, ReloadStatus, SiteRecipe } from "../contracts.js";
import { createLog, silentLog } from "#lib/log";
import type { Site, SiteOptions } from "../site-shape.js";
import { singleProcess } from "../workers.js";
import { processEnv } from "../config/env.js";
import { loadSite, type LoadedSite, type FirstParty } from "./load-site.js";
import { RunningSite } from "./running-site.js";
import { setUp } from "./set-up.js";
import { SiteRegistries } from "./site-context.js";

export type { Site, SiteOptions } from "../site-shape.js";

/** Time limit of a handler in an export, in ms: no visitor waits, and the machine may be busy. */
const EXPORT_LIMIT_MS = 60_000;

const NEVER_RELOADED: ReloadStatus = {
  changedPackages: new Set(),
  configState: () => ({ state: "valid", at: null, problems: [] }),
  onOutdated: () => () => undefined,
};

/**
 * Boots a site in eight steps: the first six here, the last two in `listen`, or in `prepare` for `site serve`, which
 * opens the port itself. The work of `onReady` runs while `/health/ready` responds 503.
 */
export async function createSite(root: string, options: SiteOptions): Promise<Site> {
  const site = await assembleSite(root, options);
  await site.openFront();
  return site;
}

/**
 * Like `createSite`, for a command: a site that does not serve. Express is loaded when a plugin passes it a
 * connection (`http.accept`), which most commands never do.
 */
export function createQuietSite(root: string, options: SiteOptions): Promise<QuietSite> {
  return assembleSite(root, options);
}

/** A site without a port. */
export type QuietSite = Pick<Site, "context" | "start" | "check" | "close">;

/** Steps 1 to 6. */
async function assembleSite(root: string, options: SiteOptions): Promise<RunningSite> {
  const started = performance.now();
  const loaded = await loadSite(resolve(root), options); // 1 read, 2 collect, 3 order, 4 validate
  const workers = options.workers ?? singleProcess();
  const log = options.log ?? (await createSiteLog(loaded, workers));
  const { paths } = loaded;
  const clock = options.clock ?? { now: () => Date.now() };
  const { reloads = NEVER_RELOADED } = options;
  const { handlerLimitMs = loaded.purpose === "export" ? EXPORT_LIMIT_MS : undefined } = options;
  const shared = { log, paths, clock, workers, handlerLimitMs, reloads };
  const site = new SiteRegistries({ ...loaded, ...shared });
  site.boot.note("load", null, performance.now() - started);
  for (const { name, requires } of loaded.dependents) {
    log.info("plugin.left_out", { plugin: name, requires, reason: `${requires} is switched off` });
  }
  await setUp(site, loaded, log); // 5
  await site.boot.time("hooks", null, async () => {
    await site.bus.forPlugin("kernel", -1).run("onConfigLoaded", { settings: loaded.settings });
    await site.bus.forPlugin("kernel", -1).run("onStorageReady", { paths });
  });
  site.bus.assertKnown(); // 6
  site.extensions.assertKnown(site.slots.list().map(({ slot }) => slot));
  site.assertSound();
  site.assertConnected();
  site.services.seal();
  return new RunningSite(site, loaded, log); // 7 and 8
}

/** Lines of a worker name it. */
async function createSiteLog({ settings }: LoadedSite, { id }: Workers): Promise<Site["log"]> {
  const log = await createLog(settings.system.logging);
  return id === 0 ? log : Object.assign(log.child({ worker: id }), { flush: () => log.flush() });
}

/**
 * Boots the site of a recipe without a port; resolves when it is ready. The caller closes it. Works in a
 * worker thread, which imports the host by URL.
 * @throws the errors of `createSite`.
 */
export async function bootWithoutPort(recipe: SiteRecipe, log: Logger = silentLog): Promise<Site> {
  const { root, firstParty: module, purpose, overrides } = recipe;
  const { firstParty } = (await import(module)) as { firstParty?: FirstParty };
  if (firstParty === undefined) {
    throw new SiteError("ERR_PLUGIN_LOAD", `${module} does not export firstParty`, {
      fix: "pass the URL of the module that exports `firstParty`",
    });
  }
  const site = await createSite(root, {
    firstParty,
    env: processEnv("production"),
    log,
    ...(purpose && { purpose }),
    ...(overrides && { overrides }),
  });
  await startOrClose(site);
  return site;
}

async function startOrClose(site: Site): Promise<void> {
  try {
    await site.start();
  } catch (error) {
    await site.close();
    throw error;
  }
}
