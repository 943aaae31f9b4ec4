/** The hooks of the content. */
import type { Request } from "express";
import type { CreateHook, NotifyHook, TransformHook } from "#kernel";
import type { ContentChanges } from "./changes.js";
import type { Generation, Page } from "./moments.js";
import type { MediaItem, PageEntry, WorkflowStatus } from "./pages.js";
import type { Collection, CollectionQuery, ContentView, RouteMatch } from "./views.js";

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
