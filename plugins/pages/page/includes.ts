import {
  HttpError,
  type SiteContext,
  expectKind,
  type ExtensionList,
  type Extensions,
} from "#kernel";
import { nearest } from "#kernel/internal";
import type { ContentView, PageEntry } from "../../content/contract.js";
import { toModules } from "./included-modules.js";
import { toBackReferences, toRelations } from "./included-relations.js";
import type { PageInclude, PageIncludes } from "../contract.js";

/** The includes of the API itself. First-party ones of other plugins belong here, through their services. */
function ownIncludes(site: SiteContext): PageIncludes {
  const content = site.use("content");
  return {
    summary: {
      description: "Front matter `summary`, else the beginning of the text",
      of: async (entry, view) => {
        const { summary } = entry.frontmatter;
        if (typeof summary === "string") return summary;
        return site.use("markdown").excerpt(await view.load(entry));
      },
    },
    image: {
      description: "Address of the image that the front matter names; null without one",
      of: (entry) => content.addresses.imageOf(entry),
    },
    modules: {
      description: "Its modules in tree order, with HTML, front matter and files",
      of: (entry, view) => toModules(site, view, view.modules(entry)),
    },
    relations: {
      description: "What fields of its page type name; `item` is the visible page, else null",
      of: (entry, view) => toRelations(content, view, entry),
    },
    referencedBy: {
      description: "The visible pages that name it, with the field",
      of: (entry, view) => toBackReferences(content, view, entry),
    },
  };
}

/** What `include=` offers: the API's own includes, and those of the slot `pageIncludes`. */
export class Includes {
  readonly #own: PageIncludes;
  readonly #added: ExtensionList<Extensions["pageIncludes"]>;

  constructor(site: SiteContext) {
    this.#own = ownIncludes(site);
    this.#added = site.extensions.open("pageIncludes", {
      check: expectKind("object"),
      isKeyed: true,
    });
  }

  /** All names, in the order in which they are offered. */
  get names(): readonly string[] {
    return [...new Set([this.#own, ...this.#added.values].flatMap((one) => Object.keys(one)))];
  }

  find(name: string): PageInclude | undefined {
    return [this.#own, ...this.#added.values].find((one) => Object.hasOwn(one, name))?.[name];
  }

  /** @throws HttpError 400 for a name that no include has, with the nearest one. */
  assertName(name: string): void {
    if (this.find(name) !== undefined) return;
    const hint = nearest(name, this.names);
    const expected = hint === null ? `expected ${this.names.join(", ")}` : `did you mean ${hint}?`;
    throw new HttpError(
      400,
      `include: unknown name ${JSON.stringify(name.slice(0, 64))}, ${expected}`,
      {
        code: "ERR_HTTP_PARAMETER",
      },
    );
  }

  /** The values of the named includes for a page. */
  async valuesOf(
    names: readonly string[],
    entry: PageEntry,
    view: ContentView,
  ): Promise<Record<string, unknown>> {
    const values: Record<string, unknown> = {};
    for (const name of names) {
      const value: unknown = await this.find(name)?.of(entry, view);
      if (value !== undefined) values[name] = value;
    }
    return values;
  }
}
