import {
  type SiteContext,
  expectEach,
  expectKind,
  type ExtensionList,
  type Extensions,
} from "#kernel";
import { callCheck, expectText } from "#kernel/internal";
import { toContentRules } from "./content-rules.js";
import type { ContentRules } from "../../index/store-options.js";
import { isCode, nameOf, parseFileName } from "../source-name.js";
import type { TermFields, TextFields } from "../../index/tree/tree-nodes.js";

const assertFormat = callCheck(
  "content.addFormat",
  { extension: expectText, options: expectKind("object", "nothing") },
  'site.use("content").addFormat("adoc")',
);

/** What page types say of the tree. */
export interface Described {
  /** Templates that have a page type. */
  readonly names: ReadonlySet<string>;
  readonly termFields: TermFields;
  readonly textFields: TextFields;
}

/** How the tree is read: the settings plus additions by plugins and themes. */
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
    const names = this.#templates.each((list) => list()).flat();
    const { names: described, termFields, textFields } = this.#described();
    const templates = new Set([...names, ...described]);
    return toContentRules(settings, paths, {
      formats: this.#formats,
      codeFormats: this.#codeFormats,
      templates,
      termFields,
      textFields,
    });
  }

  /** True for the path of a content file. */
  isPage(path: string): boolean {
    return parseFileName(nameOf(path), this.current()) !== null;
  }

  /** True for files that the server runs. */
  isCode(path: string): boolean {
    return isCode(path, this.#codeFormats);
  }

  /** Treats files with this extension, without dot, as pages; `runs`: as code. */
  addFormat(extension: string, options: { runs?: boolean | undefined } = {}): void {
    assertFormat(extension, options);
    const { runs = false } = options;
    this.#formats.add(extension);
    if (runs) this.#codeFormats.add(extension);
  }
}
