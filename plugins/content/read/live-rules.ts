import type { EngineSlot, Engines, SiteContext } from "#kernel";
import { toContentRules } from "./content-rules.js";
import type { ContentRules } from "../index/store-options.js";
import { nameOf, parseFileName } from "./source-name.js";

/** How the tree is read: the settings plus additions by plugins and themes. */
export class LiveRules {
  readonly #site: Pick<SiteContext, "settings" | "paths">;
  readonly #described: () => ReadonlySet<string>;
  readonly #formats = new Set(["md", "mdx", "tsx"]);
  readonly #templates: EngineSlot<Engines["templateNames"]>;

  /** `described`: templates that have a page type. */
  constructor(
    site: Pick<SiteContext, "settings" | "paths" | "engines">,
    described: () => ReadonlySet<string>,
  ) {
    this.#site = site;
    this.#described = described;
    this.#templates = site.engines.open("templateNames");
  }

  /** The current rules. */
  current(): ContentRules {
    const { settings, paths } = this.#site;
    const names = this.#templates.activeName === null ? [] : this.#templates.active();
    const templates = new Set([...names, ...this.#described()]);
    return toContentRules(settings, paths, { formats: this.#formats, templates });
  }

  /** True for the path of a content file. */
  isPage(path: string): boolean {
    return parseFileName(nameOf(path), this.current()) !== null;
  }

  /** Treats files with this extension, without dot, as pages. */
  addFormat(extension: string): void {
    this.#formats.add(extension);
  }
}
