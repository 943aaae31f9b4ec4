/** The content service: the current generation, views on it, the write path. */
import {
  callCheck,
  type Change,
  expectFields,
  expectKind,
  FieldKinds,
  type SiteContext,
} from "#kernel";
import { SiteBlueprints } from "./blueprints/site-blueprints.js";
import { Addresses } from "./view/addresses.js";
import { Announcer, unchanged, pageEvents } from "./write/announce.js";
import { FOUND_AT_ONCE } from "./write/found-pages.js";
import { ContentWriter } from "./write/apply.js";
import { displacedPages } from "./write/displaced-pages.js";
import { ownersAt, ownersOfPart } from "./write/page-owners.js";
import { PluginAccess } from "./write/plugin-access.js";
import { changedTags, treeState } from "./write/changes.js";
import { ContentStore } from "./index/content-store.js";
import type { Rescan } from "./index/update-queues.js";
import { storeOptions, type StoreChange } from "./index/store-options.js";
import type {
  ContentProblem,
  ContentService,
  Generation,
  PageText,
  Moment,
  Viewer,
} from "./contract.js";
import { withOthers } from "./read/walk.js";
import { Languages } from "./view/languages.js";
import { LiveRouteRules, LiveRules } from "./read/live-rules.js";
import { MediaFolders } from "./read/media-folders.js";
import { PageLoader } from "./view/page-loader.js";
import { ProblemLog } from "./problems/problem-log.js";
import { PluginSources } from "./view/collection-items.js";
import { previewPage } from "./view/preview-page.js";
import { BrokenPages } from "./problems/broken-pages.js";
import { releasePatch, unschedulePatch } from "./read/front-matter/hiding-keys.js";
import { Reachability } from "./problems/reachability.js";
import { SiteSteps } from "./write/site-steps.js";
import { LastRun } from "./write/journal-form.js";
import { announceSchedule, type SiteSchedule } from "./schedule/announce-due-pages.js";
import { isAlwaysPublic, isPublished, isReleased } from "./schedule/publication-time.js";
import { Moments, selectMoment } from "./moments/moments.js";
import { StandIns } from "./view/stand-ins.js";
import { createViewDeps, type ViewDeps, TreeView, anonymous } from "./view/view.js";
import { Indexing } from "./view/indexing.js";

const MEDIA_TAG = "media:";
/** Path at which a plugin serves its login on a site without `auth`. */
const LOGIN = "/auth/login";

const assertFieldKind = callCheck(
  "content.addFieldKind",
  {
    name: expectKind("string"),
    kind: expectFields({ control: ["string"], check: ["function"], jsonSchema: ["function"] }),
  },
  'site.use("content").addFieldKind("even", { control: "number", check: () => null, jsonSchema: () => ({ type: "integer" }) })',
);

function isPageChange(change: Change): change is Change<"page"> {
  return change.kind === "page";
}

/** The service of a site, with the methods that only its plugin calls. */
export class TreeService implements ContentService {
  readonly addresses: Addresses;
  readonly indexing: Indexing;
  readonly fieldKinds = new FieldKinds();
  readonly blueprints: SiteBlueprints;
  readonly relations: ContentService["relations"];
  /** True once the first generation is loaded. */
  isReady = false;
  readonly languages: Languages;
  readonly lastRun = new LastRun();
  readonly steps: SiteSteps;
  readonly #site: SiteContext;
  readonly #rules: LiveRules;
  readonly #routeRules: LiveRouteRules;
  readonly #sources: PluginSources;
  readonly #outside: PluginAccess;
  readonly #announcer: Announcer;
  readonly #store: ContentStore;
  readonly #writer: ContentWriter;
  readonly #media: MediaFolders;
  readonly #loader: PageLoader;
  readonly #due: SiteSchedule;
  readonly #problems: ProblemLog;
  readonly #reach: Reachability;
  readonly #broken: BrokenPages;
  readonly #viewDeps: ViewDeps;
  readonly #moments: Moments;
  #isWatching: () => boolean = () => false;
  /** The joined problems, with the lists of pages and of media that they were joined from. */
  #joined: {
    pages: readonly ContentProblem[];
    media: readonly ContentProblem[];
    all: readonly ContentProblem[];
  } | null = null;

  readonly claimOf: ContentService["claimOf"] = (path) => this.#reach.claimOf(path);
  readonly hasLogin: ContentService["hasLogin"] = () =>
    this.#site.settings.site.auth !== undefined || this.claimOf(LOGIN) !== null;
  readonly redirects: ContentService["redirects"] = () => [
    ...this.#routeRules.current().redirects.rules,
  ];
  readonly isPublished: ContentService["isPublished"] = isPublished;
  readonly isReleased: ContentService["isReleased"] = isReleased;
  readonly isAlwaysPublic: ContentService["isAlwaysPublic"] = isAlwaysPublic;
  readonly version: ContentService["version"] = (entry) => this.#loader.version(entry);
  readonly mediaProblems: ContentService["mediaProblems"] = () =>
    this.#media.problems(this.#foldersWithFiles());
  readonly announce: ContentService["announce"] = (changes) =>
    this.#announcer.again(unchanged(changes, this.#store.index));
  readonly source: ContentService["source"] = (path) => this.#loader.source(path);
  readonly brokenPages: ContentService["brokenPages"] = () => this.#broken.list();
  readonly brokenPage: ContentService["brokenPage"] = (path) => this.#broken.find(path);
  readonly brokenSource: ContentService["brokenSource"] = (path) => this.#broken.source(path);
  readonly media: ContentService["media"] = (folder) => this.#media.list(folder);
  readonly problems: ContentService["problems"] = () => this.#problems.list();
  readonly isPage: ContentService["isPage"] = (path) => this.#rules.isPage(path);
  readonly isCode: ContentService["isCode"] = (path) => this.#rules.isCode(path);
  readonly ownersOf: ContentService["ownersOf"] = (path) =>
    ownersAt(path, this.#store.index, this.#rules.current());
  readonly addFormat: ContentService["addFormat"] = (...format) => this.#rules.addFormat(...format);
  readonly addFieldKind: ContentService["addFieldKind"] = (name, kind) => {
    assertFieldKind(name, kind);
    this.fieldKinds.add(name, kind);
  };
  readonly refresh: ContentService["refresh"] = (paths) => this.#store.refresh(paths);
  readonly catchUp: ContentService["catchUp"] = (paths) => this.#store.catchUp(paths);
  readonly mediaFolders: ContentService["mediaFolders"] = () => withOthers(this.#store.folders);
  readonly addressIn: ContentService["addressIn"] = (...page) =>
    new StandIns(this.#store.index, this.#routeRules.current()).addressIn(...page);
  readonly moment: ContentService["moment"] = (options) => this.#moments.open(options);
  readonly pageEvents: ContentService["pageEvents"] = pageEvents;
  readonly changedTags: ContentService["changedTags"] = changedTags;
  readonly treeState: ContentService["treeState"] = (x) => treeState(this.#store.index.entries, x);

  /** Resolves when every change so far is announced. */
  readonly announced = (): Promise<void> => this.#announcer.drained();

  /**
   * Announces the pages that changed while the site was down, in parts, between which saves are announced. Until it
   * has finished, the snapshot of the last run stays: after a crash the next startup announces the rest.
   */
  async announceMissed(): Promise<void> {
    const { lifecycle } = this.#site;
    const { index } = this.#store;
    // What was saved since the start is in the journal then.
    await this.announced();
    const missed = (await this.lastRun.missed(this.#site, index)).filter(isPageChange);
    for (let at = 0; at < missed.length; at += FOUND_AT_ONCE) {
      if (lifecycle.signal.aborted) return;
      const { bySource } = this.#store.index;
      // A page that has changed again is announced by that change.
      const current = missed
        .slice(at, at + FOUND_AT_ONCE)
        .filter(({ key, after }) => (bySource.get(key) ?? null) === after);
      if (current.length > 0) await this.#announcer.missed(current);
    }
    this.lastRun.announced();
    if (missed.length === 0) return;
    this.#site.log.info("content.missed_announced", { pages: missed.length });
    this.#store.saveLater();
  }

  /** Announces scheduled pages that became due while the site was down. */
  readonly resumeSchedule = (): Promise<void> => this.#due.seen.resume();

  constructor(site: SiteContext) {
    this.#site = site;
    this.steps = new SiteSteps(site, (work) => this.update(work));
    this.addresses = new Addresses(site.settings, site.paths);
    this.indexing = new Indexing(site.settings, this.addresses);
    this.languages = new Languages(site.settings.system.languages);
    this.blueprints = new SiteBlueprints(site, {
      kinds: this.fieldKinds,
      index: () => this.#store.index,
      rules: () => this.#rules.current(),
    });
    this.relations = this.blueprints.relations;
    this.#rules = new LiveRules(site, () => this.blueprints);
    this.#sources = new PluginSources(site);
    this.#outside = new PluginAccess(site);
    this.#problems = new ProblemLog(site, this.addresses);
    this.#routeRules = new LiveRouteRules(site, () => this.#reroute());
    const rules = () => this.#rules.current();
    const routeRules = () => this.#routeRules.current();
    this.#reach = new Reachability(site, routeRules);
    const options = { ...storeOptions(site), lastRun: this.lastRun };
    const { hooks, changes: feed, cache } = site;
    this.#announcer = new Announcer({ hooks, feed, cache });
    this.#store = new ContentStore({
      ...options,
      rules,
      findProblems: this.#reach.problems,
      changedMedia: () => this.#media.changed(),
      // After a crash the next startup announces what the snapshot lacks.
      savesSnapshot: () =>
        this.lastRun.isAnnounced && this.#announcer.isIdle && options.savesSnapshot?.() !== false,
      onChange: (change) => this.#changed(change),
    });
    this.#media = new MediaFolders(rules, {
      ...options,
      onProblems: () => this.#problems.later(this.#currentProblems),
    });
    this.#writer = new ContentWriter({
      rules,
      now: () => site.runtime.clock.now(),
      write: (work) => this.#store.write(work),
      steps: this.steps,
      guard: (path) => this.#outside.guard(path),
      ownerOf: (folder) => this.#store.index.ownerOf(folder),
      partOwners: (path, created) =>
        ownersOfPart(path, this.#store.index, { rules: rules(), created }),
      displaced: (change) => displacedPages(this.#store.index, change, rules()),
      violations: this.blueprints.violationsOf,
      openValues: (file) => this.blueprints.openValues(file),
      valuesOf: (path, text) => this.blueprints.describe(path, text).frontmatter,
    });
    this.#loader = new PageLoader({
      ...options,
      root: site.paths.content,
      hooks: site.hooks,
      index: () => this.#store.index,
      refresh: (paths) => this.#store.refresh(paths),
      media: (folder) => this.media(folder),
      isWatching: () => this.#isWatching(),
    });
    this.#broken = new BrokenPages({
      index: () => this.#store.index,
      rules,
      refresh: (paths) => this.#store.refresh(paths),
      bytes: (path) => this.#loader.bytes(path),
    });
    this.#due = announceSchedule(site, this.#announcer, () => this.#store.index);
    const { index } = this.#store;
    const { blueprints } = this;
    const state = { index, rules: routeRules(), sources: this.#sources.all, blueprints };
    this.#viewDeps = createViewDeps(site, this.#loader, state);
    this.#moments = new Moments(site, { present: this, loader: this.#loader, rules, routeRules });
  }

  /** Builds the first generation. */
  async load(): Promise<void> {
    await this.steps.recoverAtStart();
    await this.#outside.prepare();
    await this.blueprints.read();
    this.#sources.load();
    await this.#store.load();
    this.isReady = true;
    this.steps.answerWorkers();
    this.#problems.update(this.#currentProblems());
    this.#due.scheduler.reset();
  }

  generation(): Generation {
    return this.#store.index;
  }

  view(viewer: Viewer = anonymous): TreeView {
    return new TreeView(selectMoment(viewer, this.#currentDeps()), viewer);
  }

  viewAll(moment?: Moment): TreeView {
    return this.view({
      roles: null,
      seesUnpublished: true,
      ...(moment !== undefined && { moment }),
    });
  }

  #currentDeps(): ViewDeps {
    const now = this.#site.runtime.clock.now();
    this.#due.scheduler.check(now);
    const rules = this.#routeRules.current();
    // `viewDeps` already has all keys: adding keys after a spread gives each object its own shape (Node 20).
    return { ...this.#viewDeps, index: this.#store.index, rules, now };
  }

  preview(page: PageText): ReturnType<ContentService["preview"]> {
    const parts = { deps: this.#currentDeps(), rules: this.#rules.current(), media: this.media };
    return previewPage(page, { ...parts, loader: this.#loader });
  }

  readonly releasePatch = releasePatch;
  readonly unschedulePatch = unschedulePatch;

  /** Does not wait for the announcement of other changes that were found on the disk. */
  async apply(...[changes, options = {}]: Parameters<ContentService["apply"]>) {
    const results = await this.#writer.apply(changes, options);
    this.#problems.catchUp();
    await this.#announcer.settled();
    return results;
  }

  readonly matched: ContentService["matched"] = async (req, match) => {
    const resolved = await this.#site.hooks.transform("onRouteResolved", { req, match });
    return resolved.match;
  };

  readonly asStep: ContentService["asStep"] = (name, work) => this.steps.run(name, work);

  async rebuild(): Promise<void> {
    this.#media.clear();
    const { trace } = this.#site.runtime;
    await trace.span("rebuild", () => this.#store.rebuild());
    await this.#caughtUp();
    void this.findMediaProblems();
  }

  async update(work: () => Promise<readonly string[]>): Promise<void> {
    await this.#outside.update(this.#store, work);
    await this.#caughtUp();
  }

  /** Resolves when the changes so far are announced and their problems logged. */
  async #caughtUp(): Promise<void> {
    this.#problems.catchUp();
    await this.announced();
  }

  /** Reads all folders with files for their problems, which `problems` then includes. */
  findMediaProblems(): Promise<void> {
    return this.#media.findProblems(this.#foldersWithFiles());
  }

  #foldersWithFiles(): string[] {
    return [...this.#store.index.entries.map(({ folder }) => folder), ...this.mediaFolders()];
  }

  /** The same array until a problem differs. */
  readonly #currentProblems = (): readonly ContentProblem[] => {
    const pages = this.#store.index.problems;
    const media = this.#media.lastProblems;
    if (this.#joined?.pages !== pages || this.#joined.media !== media) {
      this.#joined = { pages, media, all: [...pages, ...media] };
    }
    return this.#joined.all;
  };

  /** Compares everything, including media, with the disk; true when something differed. */
  rescan(options?: Rescan): Promise<boolean> {
    return this.#store.rescan(options);
  }

  async mediaFile(folder: string, name: string): ReturnType<ContentService["mediaFile"]> {
    const media = await this.#media.find(folder, name);
    if (media === null) return null;
    return { file: media.file, entry: this.#store.index.ownerOf(media.folder) };
  }

  /** Caches pages and listings while the folder is watched. */
  keepWhile(isWatching: () => boolean): void {
    this.#isWatching = isWatching;
    this.#media.keepWhile(isWatching);
    void this.#loader.readAhead(this.#store.index.entries);
  }

  async close(): Promise<void> {
    this.#media.close();
    await this.#caughtUp();
    await this.#due.seen.note();
    this.#due.scheduler.close();
    await this.#store.close();
  }

  #reroute(): void {
    this.#store.index.invalidateLists();
    this.#store.index.findProblemsWith(this.#reach.problems);
    this.#problems.later(this.#currentProblems);
  }

  #changed(change: StoreChange): void {
    const { tags } = change.changes;
    this.#media.invalidate(tags);
    const folders = [...tags].filter((tag) => tag.startsWith(MEDIA_TAG));
    if (folders.length > 0) {
      void this.#media.findProblems(folders.map((tag) => tag.slice(MEDIA_TAG.length)));
    }
    this.#due.scheduler.reset();
    this.#problems.later(this.#currentProblems);
    void this.#loader.readAhead([...change.changes.created, ...change.changes.updated]);
    this.#announcer.changed(change);
    // The snapshot waits for it.
    if (!this.#announcer.isIdle) void this.announced().then(() => this.#store.saveLater());
  }
}
