/** Extension lists and hooks of the content, through which other plugins take part. */
import type { Request } from "express";
import type { CreateHook, NotifyHook, TransformHook } from "#kernel";
import type { ContentProblem, MediaItem, PageEntry, WorkflowStatus } from "./pages.js";
import type {
  CollectionSource,
  Collection,
  CollectionQuery,
  ContentView,
  RouteMatch,
} from "./views.js";
import type { ContentChanges } from "./writes.js";
import type { Generation, Page } from "./moments.js";

/** The names of the templates of the active theme. */
export type TemplateNames = () => readonly string[];

/** The redirects that apply, from those of the configuration; the same object until they change. */
export type Redirects = (configured: Addresses) => Addresses;

/** Addresses by address: where each leads. */
type Addresses = Readonly<Record<string, string>>;

/** The route that answers a decoded path before pages do; null for other paths. */
export type RouteClaim = (path: string) => string | null;

/** Prepares the content folder before it is read for the first time. */
export type PrepareContent = () => Promise<void>;

/** Why nothing may be written to a path below `content/` at the moment; null: it may. */
export type WriteGuard = (path: string) => string | null;

/** The current problems of files that a plugin reads itself; paths are below the site root. */
export type PluginProblems = () => readonly ContentProblem[];

/** A folder below the site root that a plugin reads itself. */
export interface RootFolder {
  /** Its path below the site root. */
  readonly folder: string;
  /** Reads it again; true when something differs. */
  read(): Promise<boolean>;
}

/** Sources of collections by their key, which begins with `@`. */
export interface CollectionSources extends Readonly<Record<string, CollectionSource>> {}

declare module "#kernel" {
  interface Extensions {
    /**
     * The template names of the active theme, which decide the folder pages.
     *
     * @example
     * site.extensions.add("templateNames", () => ["default", "post", "gallery"]);
     */
    templateNames: TemplateNames;
    /**
     * Sources of collections by their key, which begins with `@`; the site uses those of all plugins.
     *
     * @example
     * site.extensions.add("collectionSources", {
     *   "@recent": (value, view) => {
     *     const order = { by: "date", dir: "desc" } as const;
     *     return view.list({ order, offset: 0, limit: Number(value) }).items;
     *   },
     * });
     */
    collectionSources: CollectionSources;
    /**
     * Problems of files that the plugin reads itself, which the site reports with those of the content;
     * paths are below the site root.
     *
     * @example
     * const found = { code: "ERR_MENU_ITEM", message: "the item has no title", line: 3 };
     * site.extensions.add("pluginProblems", () => [
     *   { ...found, sourcePath: "menus/main.yaml", severity: "error" },
     * ]);
     */
    pluginProblems: PluginProblems;
    /**
     * A folder of the site root whose files the plugin reads itself; it may be created later. `read` is called
     * when the site is ready and after each change; it returns true when something differs.
     *
     * @example
     * site.extensions.add("rootFolders", {
     *   folder: "menus",
     *   read: async () => {
     *     site.log.info("menus.changed");
     *     return true;
     *   },
     * });
     */
    rootFolders: RootFolder;
    /**
     * Changes the configured redirects while the site runs: returns those that apply, the same object until
     * they change. Those of all plugins apply, in their order.
     *
     * @example
     * const moved = { "/old": "/new" };
     * let last = { from: {}, to: {} };
     * site.extensions.add("redirects", (configured) => {
     *   if (last.from !== configured) last = { from: configured, to: { ...configured, ...moved } };
     *   return last.to;
     * });
     */
    redirects: Redirects;
    /**
     * Work on the content folder that the first reading waits for, such as a first download.
     *
     * @example
     * import { cp } from "node:fs/promises";
     * site.extensions.add("prepareContent", () =>
     *   cp("/srv/master", site.paths.content, { recursive: true }),
     * );
     */
    prepareContent: PrepareContent;
    /**
     * Rejects writes of paths below `content/`, with the reason, or null: the change results in
     * ERR_CONTENT_CONFLICT. The site asks all plugins.
     *
     * @example
     * site.extensions.add("writeGuards", (path) =>
     *   path.startsWith("legal/") ? "legal texts are changed by the lawyers only" : null,
     * );
     */
    writeGuards: WriteGuard;
    /**
     * Names the route that answers a decoded path before pages do, or null, so that hidden pages are
     * reported; the site asks all plugins.
     *
     * @example
     * site.extensions.add("routeClaims", (path) => (path.startsWith("/shop/") ? "/shop/*path" : null));
     */
    routeClaims: RouteClaim;
  }
}

declare module "#kernel" {
  interface HookContextExtras {
    /** The tree as an anonymous visitor sees it; undefined until the index is ready. */
    readonly content: ContentView | undefined;
  }
  interface HookMap {
    /**
     * At startup, when all pages are indexed.
     *
     * @example
     * site.hooks.on("onContentIndexReady", ({ data, log }) => {
     *   const drafts = data.generation.entries.filter(({ status }) => status === "draft");
     *   log.info("drafts.counted", { drafts: drafts.length });
     * });
     */
    onContentIndexReady: CreateHook<{ generation: Generation }>;
    /**
     * When a page is loaded, before its media are used.
     *
     * @example
     * site.hooks.on("onMediaDiscovered", ({ data, setData }) => {
     *   setData({ ...data, media: data.media.filter(({ name }) => !name.endsWith(".psd")) });
     * });
     */
    onMediaDiscovered: TransformHook<{ media: readonly MediaItem[]; page: PageEntry }>;
    /**
     * When a page has been loaded, with its source and its media.
     *
     * @example
     * site.hooks.on("onPageLoaded", ({ data, setData }) => {
     *   const body = data.page.body.replaceAll("{year}", String(new Date().getFullYear()));
     *   setData({ page: { ...data.page, body } });
     * });
     */
    onPageLoaded: TransformHook<{ page: Page }>;
    /**
     * When the pages of a collection are known, before a template shows them.
     *
     * @example
     * site.hooks.on("onCollectionResolved", ({ data, setData }) => {
     *   const items = data.collection.items.filter(({ visible }) => visible);
     *   setData({ ...data, collection: { ...data.collection, items } });
     * });
     */
    onCollectionResolved: TransformHook<{ query: CollectionQuery; collection: Collection }>;
    /**
     * When the page of a request path is known, before it is rendered.
     *
     * @example
     * site.hooks.on("onRouteResolved", ({ data, setData }) => {
     *   if (data.match.kind !== "none" || !data.req.ctx.path.startsWith("/old/")) return;
     *   setData({ ...data, match: { kind: "redirect", to: "/archive", status: 301 } });
     * });
     */
    onRouteResolved: TransformHook<{ req: Request; match: RouteMatch }>;
    /**
     * After the tree has changed, once per generation of the index.
     *
     * @example
     * site.hooks.on("onRebuild", ({ data, log }) => {
     *   log.info("notes.rebuilt", { created: data.created.length, deleted: data.deleted.length });
     * });
     */
    onRebuild: NotifyHook<ContentChanges>;
    /**
     * After a page was created, by the site or on the disk.
     *
     * @example
     * site.hooks.on("onPageCreate", async ({ data }) => {
     *   const email = site.use("email");
     *   await email.send({ to: "editor@example.com", subject: `New: ${data.title}`, text: data.sourcePath });
     * });
     */
    onPageCreate: NotifyHook<{ sourcePath: string; title: string }>;
    /**
     * After a page has changed.
     *
     * @example
     * site.hooks.on("onPageUpdate", ({ data, log }) => log.info("notes.updated", { ...data }));
     */
    onPageUpdate: NotifyHook<{ sourcePath: string; title: string }>;
    /**
     * After a page was deleted.
     *
     * @example
     * site.hooks.on("onPageDelete", ({ data, log }) => log.warn("notes.deleted", { ...data }));
     */
    onPageDelete: NotifyHook<{ sourcePath: string }>;
    /**
     * After the status of a page has changed.
     *
     * @example
     * site.hooks.on("onWorkflowChange", ({ data, log }) => {
     *   if (data.to === "in_review") log.info("review.requested", { path: data.sourcePath });
     * });
     */
    onWorkflowChange: NotifyHook<{ sourcePath: string; from: WorkflowStatus; to: WorkflowStatus }>;
  }
}
