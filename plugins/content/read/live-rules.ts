/** The rules by which the tree is read and routed: the settings, with the additions of plugins, themes and page types. */
import { relative, sep } from "node:path";
import {
  callCheck,
  expectEach,
  expectKind,
  expectValues,
  type ExtensionList,
  type Extensions,
  type Paths,
  type Settings,
  type SiteContext,
} from "#kernel";
import { expectText } from "#lib/values";
import type { FormatOptions } from "../contract.js";
import type { ContentRules } from "../index/store-options.js";
import type { TermFields, TextFields } from "../index/tree-nodes.js";
import { toRoute } from "../view/address.js";
import { RedirectTable } from "../view/redirects.js";
import type { RouteRules } from "../view/resolve-route.js";
import { isCode, isPagePath } from "./source-name.js";

const assertFormat = callCheck(
  "content.addFormat",
  { extension: expectText, options: expectKind("object", "nothing") },
  'site.use("content").addFormat("adoc")',
);
/** Plugins whose results are not looked through again while they stay the same. */
const MAX_CHECKED = 8;
const areRedirects = expectValues(expectKind("string"));

/** The part of the rules that page types decide. */
interface Described {
  /** Templates that have a page type. */
  readonly names: ReadonlySet<string>;
  readonly termFields: TermFields;
  readonly textFields: TextFields;
}

/** The rules of reading the tree: the settings plus additions by plugins and themes. */
export class LiveRules {
  readonly #site: Pick<SiteContext, "settings" | "paths">;
  readonly #described: () => Described;
  readonly #formats = new Set(["md", "mdx", "tsx"]);
  readonly #codeFormats = new Set(["mdx", "tsx"]);
  readonly #templates: ExtensionList<Extensions["templateNames"]>;

  constructor(
    site: Pick<SiteContext, "settings" | "paths" | "extensions">,
    described: () => Described,
  ) {
    this.#site = site;
    this.#described = described;
    this.#templates = site.extensions.open("templateNames", {
      check: expectKind("function"),
      result: expectEach(expectKind("string")),
    });
  }

  /** The current rules. */
  current(): ContentRules {
    const { settings, paths } = this.#site;
    const { languages, timezone } = settings.system;
    const { names, termFields, textFields } = this.#described();
    const added = this.#templates.each((list) => list()).flat();
    const reserved = reservedBelow(paths);
    return {
      root: paths.content,
      isReserved: (path) =>
        reserved.some((other) => path === other || path.startsWith(`${other}/`)),
      formats: this.#formats,
      codeFormats: this.#codeFormats,
      languages: languages.supported,
      defaultLanguage: languages.default,
      includeDefaultInUrl: languages.include_default_in_url,
      templates: new Set([...added, ...names]),
      home: settings.site.home,
      timezone,
      termFields,
      textFields,
    };
  }

  /** True for the path of a content file. */
  isPage(path: string): boolean {
    return isPagePath(path, this.current());
  }

  /** True for files that the server runs. */
  isCode(path: string): boolean {
    return isCode(path, this.#codeFormats);
  }

  /** Treats files with this extension, without dot, as pages; `runs`: as code. */
  addFormat(extension: string, options: FormatOptions = {}): void {
    assertFormat(extension, options);
    const { runs = false } = options;
    this.#formats.add(extension);
    if (runs) this.#codeFormats.add(extension);
  }
}

/** The site's own data folders, if they are inside the content folder. */
function reservedBelow({ content, data, runtime, cache }: Paths): string[] {
  return [data, runtime, cache]
    .map((path) => relative(content, path).split(sep).join("/"))
    .filter((path) => path !== "" && !path.startsWith(".."));
}

/** The rules of routing: the settings, with the redirects that plugins change while the site runs. */
export class LiveRouteRules {
  readonly #site: Pick<SiteContext, "settings">;
  readonly #changes: ExtensionList<Extensions["redirects"]>;
  readonly #onChange: () => void;
  /** The results of plugins that were right, the newest first. */
  #checked: readonly unknown[] = [];
  #redirects: Readonly<Record<string, string>>;
  #rules: RouteRules;

  /** `onChange` is called when the rules differ from those of the last call of `current`. */
  constructor(site: Pick<SiteContext, "settings" | "extensions">, onChange: () => void) {
    this.#site = site;
    this.#changes = site.extensions.open("redirects", {
      check: expectKind("function"),
      result: (redirects) => this.#problemOf(redirects),
    });
    this.#onChange = onChange;
    this.#redirects = site.settings.site.redirects;
    this.#rules = toRouteRules(site.settings, this.#redirects);
  }

  /** Plugins return the same object until the redirects change: it is looked through once. */
  #problemOf(redirects: unknown): string | null {
    if (this.#checked.includes(redirects)) return null;
    const problem = areRedirects(redirects);
    if (problem === null) this.#checked = [redirects, ...this.#checked].slice(0, MAX_CHECKED);
    return problem;
  }

  /** The current rules; the same object until they change. */
  current(): RouteRules {
    const configured: Readonly<Record<string, string>> = this.#site.settings.site.redirects;
    const redirects = this.#changes.chain(configured, (change, before) => change(before));
    if (redirects === this.#redirects) return this.#rules;
    this.#redirects = redirects;
    this.#rules = toRouteRules(this.#site.settings, redirects);
    this.#onChange();
    return this.#rules;
  }
}

/** The rules of routing with these redirects. */
function toRouteRules(
  { site, system }: Settings,
  redirects: Readonly<Record<string, string>>,
): RouteRules {
  const { languages } = system;
  return {
    languages: languages.supported,
    defaultLanguage: languages.default,
    includeDefaultInUrl: languages.include_default_in_url,
    redirectStatus: site.redirect_status,
    redirects: new RedirectTable(redirects),
    routes: new Map(
      Object.entries(site.routes).map(([alias, route]) => [toRoute(alias), toRoute(route)]),
    ),
  };
}
