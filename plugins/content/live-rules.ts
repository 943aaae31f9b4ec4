import type { Paths, Settings } from "#kernel";
import { toContentRules } from "./content-rules.js";
import type { ContentRules } from "./store-options.js";

/** How the tree is read: the settings, with what plugins and themes add to them. */
export class LiveRules {
  readonly #settings: Settings;
  readonly #paths: Paths;
  readonly #formats = new Set(["md", "mdx", "tsx"]);
  #templates: () => readonly string[] = () => [];

  constructor(settings: Settings, paths: Paths) {
    this.#settings = settings;
    this.#paths = paths;
  }

  /** The rules as they are now. */
  current(): ContentRules {
    return toContentRules(this.#settings, this.#paths, {
      formats: this.#formats,
      templates: new Set(this.#templates()),
    });
  }

  /** Takes files of this extension, without dot, for pages. */
  addFormat(extension: string): void {
    this.#formats.add(extension);
  }

  /** Asks here for the names of templates from now on. */
  setTemplates(names: () => readonly string[]): void {
    this.#templates = names;
  }
}
