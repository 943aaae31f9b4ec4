/** Content trees in memory: an index and views without files. */
import { runAtOnce } from "#lib/concurrency";
import { buildIndex } from "../../../plugins/content/index/build-index.js";
import type { ContentIndex } from "../../../plugins/content/index/content-index.js";
import type { ContentRules } from "../../../plugins/content/index/store-options.js";
import type { Viewer } from "../../../plugins/content/contract.js";
import type { RouteRules } from "../../../plugins/content/view/resolve-route.js";
import { RedirectTable } from "../../../plugins/content/view/redirects.js";
import { toSourceRecord, type SourceRecord } from "../../../plugins/content/read/source-record.js";
import type { ListRules } from "../../../plugins/content/view/visible-lists.js";
import { TreeView, anonymous } from "../../../plugins/content/view/view.js";

/** Source path to text. */
export type Sources = Readonly<Record<string, string>>;

export const contentRules: ContentRules = {
  root: "/nowhere",
  isReserved: () => false,
  formats: new Set(["md", "mdx", "tsx"]),
  codeFormats: new Set(["mdx", "tsx"]),
  languages: ["en"],
  defaultLanguage: "en",
  includeDefaultInUrl: false,
  templates: new Set(["default", "post", "blog", "item"]),
  home: null,
  timezone: "UTC",
};

export function recordsOf(sources: Sources): Map<string, SourceRecord> {
  return new Map(
    Object.entries(sources)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([sourcePath, text]) => {
        const bytes = Buffer.from(text);
        return [sourcePath, toSourceRecord({ sourcePath, mtimeMs: 1, size: bytes.length }, bytes)];
      }),
  );
}

export function indexOf(
  sources: Sources,
  rules: Partial<ContentRules> = {},
  previous: ContentIndex | null = null,
): ContentIndex {
  const records = recordsOf(sources);
  return runAtOnce(
    buildIndex({ records, treeProblems: [], rules: { ...contentRules, ...rules }, previous }),
  );
}

/** Options of a view: the moment (Unix ms), the viewer, and the routing part of the settings. */
export interface ViewOptions {
  now?: number;
  viewer?: Viewer;
  rules?: Partial<RouteRules>;
  taxonomies?: readonly string[];
}

export const routeRules: RouteRules = {
  languages: contentRules.languages,
  defaultLanguage: "en",
  includeDefaultInUrl: false,
  redirectStatus: 301,
  redirects: new RedirectTable(),
  routes: new Map(),
};

/** The dependencies of lists at a moment (Unix ms). */
export function listRules(now = 0, rules: Partial<RouteRules> = {}): ListRules {
  return { now, rules: { ...routeRules, ...rules } };
}

export function viewOf(index: ContentIndex, options: ViewOptions = {}): TreeView {
  const { now = 0, viewer = anonymous, rules = {}, taxonomies = ["category", "tag"] } = options;
  return new TreeView(
    {
      index,
      now,
      taxonomies,
      blueprints: { of: () => undefined, list: () => [] },
      timezone: contentRules.timezone,
      rules: { ...routeRules, ...rules },
      sources: new Map(),
      load: () => Promise.reject(new Error("no files here")),
      finish: async (_, collection) => collection,
    },
    viewer,
  );
}
