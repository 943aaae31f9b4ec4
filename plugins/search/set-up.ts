import {
  type Change,
  type ChangeBatch,
  type EngineSlot,
  type SiteContext,
  within,
  engineFailureFields,
  assertServed,
  savedByLeader,
  saveForWorkers,
} from "#kernel";
import { BUILT_IN } from "./settings.js";
import type { PageEntry } from "../content/contract.js";
import { Analytics } from "./analytics.js";
import type { SearchEngine, SearchTools } from "./contract.js";
import { createBuiltinEngine } from "./engines/builtin/builtin-engine.js";
import { ENGINE_CALLS, engineProblem } from "./engine-guard.js";
import { IndexFile } from "./index/index-file.js";
import { searchRoutes } from "./routes.js";
import { SearchIndex, INDEX_TAG } from "./index/search-index.js";
import { createSearchService } from "./service.js";
import { Sources } from "./index/sources.js";
import { Texts } from "./index/texts.js";
import { createSearchTools } from "./query/score.js";

const SAVE = "search.save";

/** Closing waits this long for a build, in ms. */
const CLOSE_WAIT_MS = 5_000;

/** A first build that takes longer is logged, in ms. */
const SLOW_BUILD_MS = 30_000;

/** Registers search; the index is built once the site is ready, or when the first search needs it. */
export function setUpSearch(site: SiteContext): void {
  const section = site.settings.system.search;
  const slot = site.engines.open("search", engineProblem, ENGINE_CALLS);
  const tools = createSearchTools(section.fields);
  const texts = new Texts(site);
  const sources = new Sources(site, texts);
  const analytics = openAnalytics(site, section.analytics_max_mb);
  let index: SearchIndex | null = null;
  const parts = { site, slot, sources, texts, analytics, tools };
  const service = createSearchService({ ...parts, index: () => index });
  slot.register(BUILT_IN, createBuiltinEngine(tools.points));
  site.provide("search", service);
  searchRoutes(site, service);
  site.use("health", { optional: true })?.addSection("search", () => service.state());
  site.lifecycle.onReady(async () => {
    await chooseEngine(site, slot, sources, tools);
    // An export has an index of its own, built from `documents()`.
    if (site.lifecycle.purpose === "export") return sources.collect();
    const file = new IndexFile({
      folder: site.paths.cache,
      engine: slot.activeName ?? "",
      // These values affect the index.
      settings: {
        customFields: section.customFields,
        facets: section.facets,
        languages: site.settings.system.languages,
      },
      mayWrite: () => site.runtime.workers.isLeader || site.runtime.workers.isFirst,
    });
    index = new SearchIndex({
      engine: slot.active,
      sources,
      file,
      log: site.log.child({ engine: slot.activeName, enginePlugin: slot.activePlugin }),
      now: () => site.runtime.clock.now(),
      savedElsewhere: () => savedByLeader(site.runtime.workers, SAVE),
      onChange: () => {
        // The feed logs errors of listeners.
        site.changes.publish({ changes: [], tags: new Set([INDEX_TAG]) }).catch(() => undefined);
      },
    });
    const refreshRecords = (): void => {
      index?.refreshRecords().catch((error: unknown) => {
        site.log.error("search.records_not_refreshed", engineFailureFields(error));
      });
    };
    const { blueprints } = site.use("content");
    let { version } = blueprints;
    site.changes.react("search", (batch) => {
      const pages = changedPages(batch);
      // Page types decide which fields are text, and which are terms.
      if (blueprints.version !== version) void index?.refresh();
      version = blueprints.version;
      if (pages !== null) void index?.refresh(pages);
      // Records of a searched type, or its schema, have changed.
      const hasRecords = section.include_flex.some((type) => batch.tags?.has(`flex:${type}`));
      // Changes during a run share the next run.
      if (site.lifecycle.state() === "ready" && hasRecords) refreshRecords();
    });
    const first = index;
    saveForWorkers(site.runtime.workers, SAVE, async () => {
      await first.start();
      await first.save();
    });
  });
  // Pages do not need it. Closing does not wait for it here: a build may hang.
  site.lifecycle.afterReady(() => {
    if (index !== null) void buildFirst(site, index);
  });
  site.lifecycle.onCheck(async () => {
    // A search waits for an answer only, and the first index of a large site takes longer.
    if (index !== null) await buildFirst(site, index);
    await assertServed(site.http, "/api/search?q=site", "application/json");
  });
  site.lifecycle.onClose(async () => {
    await analytics.settled();
    if (index === null) return;
    // A build that never ends must not keep the server from stopping.
    await within(CLOSE_WAIT_MS, index.close(), () => undefined);
  });
}

/** The first of several workers builds the index, and the others load it. Logs a build that takes long. */
async function buildFirst({ engines, log }: SiteContext, index: SearchIndex): Promise<void> {
  const { activeName: engine, activePlugin: plugin } = engines.slot("search");
  await within(SLOW_BUILD_MS, index.start(), () => {
    log.warn("search.build_slow", {
      engine,
      plugin,
      seconds: SLOW_BUILD_MS / 1_000,
      fix: "let `build` of the engine end; until then, search responds 503",
    });
  });
}

function openAnalytics(site: SiteContext, maxMegabytes: number): Analytics {
  const { log, runtime } = site;
  const records = site.use("records");
  return new Analytics({ records, maxMegabytes, log, now: () => runtime.clock.now() });
}

/** The page changes of a batch, or null. */
function changedPages({ changes }: ChangeBatch) {
  const pages = changes.filter((change) => change.kind === "page");
  if (pages.length === 0) return null;
  const of = (isWanted: (change: Change<"page">) => boolean): PageEntry[] =>
    pages.filter(isWanted).flatMap(({ before, after }) => after ?? before ?? []);
  return {
    created: of(({ before }) => before === null),
    updated: of(({ before, after }) => before !== null && after !== null),
    deleted: of(({ after }) => after === null),
  };
}

/** The engine that a plugin activated, else the configured one. */
async function chooseEngine(
  site: SiteContext,
  slot: EngineSlot<SearchEngine>,
  sources: Sources,
  tools: SearchTools,
): Promise<void> {
  const activate = (name: string): void => slot.activate(name);
  if (site.hooks.has("onSearchEngineCreate")) await sources.collect();
  await site.hooks.run("onSearchEngineCreate", {
    register: (name, engine) => slot.register(name, engine),
    activate,
    setActiveEngine: activate,
    get documents() {
      return [...sources.routes()].flatMap((route) => {
        const source = sources.get(route);
        return source ? [sources.head(source)] : [];
      });
    },
    loadText: async ({ route }) => sources.text(route),
    settings: site.settings.system.search,
    tools,
  });
  if (slot.activeName === null) slot.activate(engineName(site, slot));
}

/** In safe mode the plugin of the configured engine may be off; the built-in engine replaces it. */
function engineName(site: SiteContext, slot: EngineSlot<SearchEngine>): string {
  const { engine } = site.settings.system.search;
  if (!site.lifecycle.safe || slot.names.includes(engine)) return engine;
  site.log.warn("search.engine_off", { wanted: engine, used: BUILT_IN });
  return BUILT_IN;
}
