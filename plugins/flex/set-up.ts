import { join } from "node:path";
import type { Change, SiteContext } from "#kernel";
import { toCollectionItem, toSearchRecord } from "./listed-record.js";
import type { CollectionSource, Viewer } from "../content/contract.js";
import type { FlexRecord, FlexType } from "./contract.js";
import { FlexObjects, type AnnouncedRecord } from "./flex-objects.js";
import { mountFlexApi, RecordIncludeList } from "./routes/api.js";
import { flexClaim, flexPages } from "./routes/pages.js";
import { recordJournal } from "./records/record-file.js";
import { missingRelations, addRecordKinds } from "./flex-types.js";
import { WatchFolder } from "./records/watch-folder.js";

/** Registers what the plugin does in a site that starts. */
export function setUpFlex(site: SiteContext): void {
  const flex = createFlex(site);
  addRecordKinds(site.use("content"), join(site.paths.root, "flex-objects"));
  site.provide("flex", flex);
  site.changes.journal.keep("record", recordJournal);
  fillCollectionSources(site, flex);
  const { http, hooks } = site;
  const view = (viewer: Viewer | undefined) => site.use("content").view(viewer);
  const { timezone } = site.settings.system;
  mountFlexApi({ http, hooks, flex, view, includes: new RecordIncludeList(site) });
  const render = () => site.use("render", { optional: true });
  const markdown = () => site.use("markdown", { optional: true });
  const lang = site.settings.system.languages.default;
  const folder = join(site.paths.root, "flex-objects");
  site.extensions.add("routeClaims", (path) => flexClaim(folder, path));
  http.use("routes", flexPages({ http, flex, render, markdown, lang, timezone }));
  site.lifecycle.onReady(() => start(site, flex));
  site.lifecycle.afterReady(() => follow(site, flex));
  site.use("health", { optional: true })?.addCheck("flex", () => unreadProblem(flex.unread));
}

/** Interval of periodic comparisons with the disk. */
const COMPARE_MS = 10 * 60_000;

/** The health message about unreadable files; the log has their paths. */
function unreadProblem(count: number): string | null {
  if (count === 0) return null;
  return `${count} ${count === 1 ? "file or folder" : "files or folders"} of flex objects cannot be read; the last versions are served`;
}

function createFlex(site: SiteContext): FlexObjects {
  return new FlexObjects({
    folder: join(site.paths.root, "flex-objects"),
    migrations: join(site.paths.root, "migrations"),
    cache: join(site.paths.cache, "flex"),
    modules: site.runtime.modules,
    kinds: site.use("content").fieldKinds,
    missing: missingRelations(
      site.use("content").relations,
      site.settings.system.languages.default,
    ),
    clock: site.runtime.clock,
    timezone: site.settings.system.timezone,
    log: site.log,
    writeLock: () => site.engines.slot("writeLock").active,
    announce: (change) => announce(site, change),
  });
}

/** Publishes on the change feed, then fires the hook. */
async function announce(site: SiteContext, change: AnnouncedRecord): Promise<void> {
  const { op, type, id, before, after, ...by } = change;
  const one: Change<"record"> = { kind: "record", key: `${type}/${id}`, op, before, after };
  const changes = id === "" ? [] : [one];
  // The feed logs listener errors; they do not undo the change.
  const published = await site.changes
    .publish({ ...by, changes, tags: new Set([`flex:${type}`]) })
    .catch(() => null);
  const isAnnounced = published === null || published.origin === null;
  if (isAnnounced)
    site.hooks.notify("onFlexChange", { op, type, id, record: after?.record ?? null });
}

/** `@flex: type` in collections. */
function fillCollectionSources(site: SiteContext, flex: FlexObjects): void {
  const { languages, timezone } = site.settings.system;
  const lang = languages.default;
  const source: CollectionSource = async (value, view) => {
    const type = typeof value === "string" ? flex.type(value) : undefined;
    const list = type === undefined ? null : await flex.list(type.name);
    if (type === undefined || list === null) return [];
    view.reads.add(`flex:${type.name}`);
    return list.records.map((record, index) =>
      toCollectionItem(type, record, { lang, index, timezone }),
    );
  };
  site.extensions.add("collectionSources", { "@flex": source });
}

function start(site: SiteContext, flex: FlexObjects): void {
  flex.readTypes();
  // Only with the search plugin, which declares the hook.
  if (site.use("search", { optional: true }) !== undefined) {
    site.hooks.on("onSearchRecordsCollect", async ({ data }) => {
      for (const name of site.settings.system.search.include_flex) {
        const type = flex.type(name);
        if (type === undefined) site.log.warn("flex.search_type_unknown", { type: name });
        else data.records.push(...(await searchRecords(site, flex, type)));
      }
    });
  }
}

async function searchRecords(site: SiteContext, flex: FlexObjects, type: FlexType) {
  const list = await flex.list(type.name);
  const records: readonly FlexRecord[] = list?.records ?? [];
  const plainText = (text: string): string =>
    site.use("markdown", { optional: true })?.plainText(text) ?? text;
  const { timezone } = site.settings.system;
  return records.map((record) => toSearchRecord(type, record, { plainText, timezone }));
}

/** Follows the files, after a look at what changed before; of several workers, the leader watches. */
function follow(site: SiteContext, flex: FlexObjects): void {
  const { workers } = site.runtime;
  let compared: Promise<void> = Promise.resolve();
  site.lifecycle.onClose(async () => {
    flex.close();
    await compared;
    await flex.settled();
    await flex.save();
  });
  flex.retryUnread();
  if (!workers.isLeader) compared = rescan(site, flex);
  workers.whenLeader(() => watch(site, flex));
}

function rescan(site: SiteContext, flex: FlexObjects): Promise<void> {
  return flex.rescan().catch((error: unknown) => {
    site.log.error("flex.watch_failed", { error: String(error) });
  });
}

/** Starts watching, then looks for changes that happened before. */
function watch(site: SiteContext, flex: FlexObjects): void {
  if (site.lifecycle.signal.aborted) return;
  const watcher = new WatchFolder({
    folder: join(site.paths.root, "flex-objects"),
    log: site.log,
    tell: (files) => flex.filesChanged(files),
    lost: () => flex.rescan(),
  });
  // Finds changes that the watcher missed.
  const compare = setInterval(() => void rescan(site, flex), COMPARE_MS).unref();
  watcher.start();
  const started = rescan(site, flex);
  site.lifecycle.onClose(async () => {
    clearInterval(compare);
    await watcher.close();
    await started;
  });
}
