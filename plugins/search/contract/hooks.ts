/** The hooks of search, its settings, and its members of the kernel. */
import type { CreateHook } from "#kernel";
import type { SearchDocument, SearchRecord } from "./documents.js";
import type { SearchEngine, SearchTools } from "./engines.js";
import type { SearchService } from "./service.js";

/** Section `search` of system.yaml. */
export interface SearchSection {
  customFields: string[];
  highlight: boolean;
  excerpt_length: number;
  include_flex: string[];
  facets: { field: string }[];
  fields: Record<string, { weight: number }>;
  page_size: number | null;
  engine: string;
  timeout_ms: number;
  analytics_max_mb: number;
  /** `extended`: `"two words"` is a phrase, `-word` an exclusion. */
  syntax: "plain" | "extended";
  similar: {
    typo: boolean;
    /** Path of the file below the root. */
    synonyms: string;
    stemming: boolean;
  };
}

/** Payload of `onSearchEngineCreate`. */
export interface SearchEngineCreate {
  register(name: string, engine: SearchEngine): void;
  activate(name: string): void;
  /** Same as `activate`. */
  setActiveEngine(name: string): void;
  /** Every document without its body, at the time of the call. */
  readonly documents: readonly Omit<SearchDocument, "body">[];
  /** Plain text of a document; empty when it cannot be read. */
  loadText(page: Pick<SearchDocument, "route">): Promise<string>;
  readonly settings: SearchSection;
  /** The shared tokenizer, score and selection, for engines that want the default order. */
  readonly tools: SearchTools;
}

declare module "#kernel" {
  interface Services {
    search: SearchService;
  }
  interface Engines {
    /**
     * Register an engine in `onSearchEngineCreate`.
     *
     * @example
     * site.hooks.on("onSearchEngineCreate", ({ data }) => {
     *   const titled = (text: string) => data.documents.filter(({ title }) => title.includes(text));
     *   data.register("titles", {
     *     build: async () => {},
     *     search: (q) => data.tools.select(titled(q.text).map((document) => ({ document, score: 1 })), q),
     *     suggest: () => [],
     *   });
     * });
     */
    search: SearchEngine;
  }
  interface SystemSettings {
    search: SearchSection;
  }
  interface HookMap {
    /**
     * When the index is built: add records that are not pages.
     *
     * @example
     * site.hooks.on("onSearchRecordsCollect", ({ data }) => {
     *   data.records.push({ route: "/boats/aurora", title: "Aurora", body: "A wooden sloop", type: "boat" });
     * });
     */
    onSearchRecordsCollect: CreateHook<{ records: SearchRecord[] }>;
    /**
     * When the site gets ready: register an engine for the slot `search`.
     *
     * @example
     * import type { SearchEngine } from "sitewright/plugins";
     * declare const engine: SearchEngine; // a search server
     * site.hooks.on("onSearchEngineCreate", ({ data }) => data.register("mine", engine));
     */
    onSearchEngineCreate: CreateHook<SearchEngineCreate>;
  }
}
