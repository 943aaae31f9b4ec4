/** Extension points of the content, to which plugins add. */
import type { ContentProblem } from "./pages.js";
import type { CollectionSource } from "./views.js";

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
