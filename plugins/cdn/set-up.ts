import { type ChangeBatch, type SiteContext, SitePath } from "#kernel";
import { addressOf, listPaths, Ledger } from "./ledger.js";
import {
  addLabel,
  receivedTarget,
  recordCached,
  recordResponses,
  type WatchOptions,
} from "./middleware.js";
import type { CdnSection } from "./contract.js";
import { createProvider } from "./providers.js";
import { Purger } from "./purger.js";

/** Registers what the plugin does in a site that starts. */
export function setUpCdn(site: SiteContext): void {
  const section = site.settings.system.cdn;
  if (section?.enabled === true) setUp(site, section);
}

/** Some tens of megabytes. */
const LIMITS = { mostUrls: 50_000, mostTags: 1_000_000 };

function setUp(site: SiteContext, section: CdnSection): void {
  const ledger = new Ledger(LIMITS, false);
  const provider = createProvider(site, section);
  const jobs = site.use("jobs");
  const { log } = site;
  const { clock } = site.runtime;
  const { batch_size: batchSize, batch_delay_ms: batchDelayMs, provider: name } = section;
  const onEmptying = (): void => {
    if (ledger.emptied()) site.use("cache", { optional: true })?.clear();
  };
  const purger = new Purger({
    provider,
    name,
    batchSize,
    batchDelayMs,
    jobs,
    clock,
    log,
    onEmptying,
  });
  const add = (paths: readonly string[]): void =>
    purger.add(paths.map((path) => addressOf(site.settings.site.url, path)));
  site.provide("cdn", {
    status: () => purger.status(),
    purge: (paths) => (paths === undefined ? purger.addEverything() : add(paths)),
    settled: () => purger.settled(),
  });
  showHealth(site, purger);
  if (provider.label !== undefined) {
    const sitePath = new SitePath(site.settings.site.url);
    // After `observe`, where parameters that only track leave the address.
    site.http.edge("protect", addLabel(provider.label, sitePath));
  }
  // Development must not purge the visitors' network.
  if (site.runtime.env.mode === "production") {
    const watch: WatchOptions = {
      ledger,
      // All forms of an address share one label.
      addressOf: provider.label === undefined ? receivedTarget : ({ url }) => url,
      onOld: (path) => add([path]),
    };
    site.http.filter(recordResponses(watch));
    site.http.edge("observe", recordCached(site, watch));
    const purgesNow = section.purge_on_start && site.runtime.workers.isFirst;
    site.lifecycle.onListen(() => listen(site, { ledger, purger, add }, purgesNow));
  }
  site.lifecycle.signal.addEventListener("abort", () => purger.hurry(), { once: true });
  site.lifecycle.onClose(() => purger.close());
}

/** Dependencies of listening to changes. */
interface ListenOptions {
  ledger: Ledger;
  purger: Purger;
  /** Purges paths of the site. */
  add(paths: readonly string[]): void;
}

function listen(
  site: SiteContext,
  { ledger, purger, add }: ListenOptions,
  purgeOnStart: boolean,
): void {
  const purge = (tags: ReadonlySet<string> | null): void => {
    const paths = tags === null ? null : ledger.take(tags);
    if (paths !== null) add(paths);
    // A full purge may clear the cache; this must not trigger another full purge.
    else if (!purger.isEmptying) purger.addEverything();
  };
  const content = site.use("content");
  const listAddresses = ({ changes }: ChangeBatch): string[] =>
    changes.flatMap((change) => {
      const entry = change.kind === "page" ? (change.after ?? change.before) : null;
      return entry === null ? [] : listPaths(entry, content.addresses);
    });
  site.changes.react("cdn", (batch) => {
    // The node that emptied its cache purges everything.
    if (batch.origin !== null && batch.tags === null) return;
    add(listAddresses(batch));
    purge(batch.tags);
  });
  if (purgeOnStart) purger.addEverything();
}

function showHealth(site: SiteContext, purger: Purger): void {
  const health = site.use("health", { optional: true });
  health?.addSection("cdn", () => purger.status());
  health?.addCheck("cdn", () => {
    const { lastError, pending, everything } = purger.status();
    if (lastError === null) return null;
    return `${everything ? "everything" : pending} waits to be purged: ${lastError}`;
  });
}
