import type { Paths, Settings } from "#kernel";
import { toContentRules } from "./content-rules.js";
import type { ContentRules } from "../index/store-options.js";

/** How the tree is read: the settings plus additions by plugins and themes. */
export class LiveRules {
  readonly #settings: Settings;
  readonly #paths: Paths;
  readonly #formats = new Set(["md", "mdx", "tsx"]);
  #templates: () => readonly string[] = () => [];

  constructor(settings: Settings, paths: Paths) {
    this.#settings = settings;
    this.#paths = paths;
  }

  /** The current rules. */
  current(): ContentRules {
    return toContentRules(this.#settings, this.#paths, {
      formats: this.#formats,
      templates: new Set(this.#templates()),
    });
  }

  /** Treats files with this extension, without dot, as pages. */
  addFormat(extension: string): void {
    this.#formats.add(extension);
  }

  /** Sets the source of template names. */
  setTemplates(names: () => readonly string[]): void {
    this.#templates = names;
  }
}
