import {
  type ExtensionList,
  type Extensions,
  FAILED_PART_MS,
  HttpError,
  type SiteContext,
} from "#kernel";
import { isPrivateKey } from "#lib/front-matter";
import { INCLUDE_RULES } from "#lib/query";
import { nearest } from "#lib/values";
import type { ContentView, PageEntry, ContentService } from "../content/contract.js";
import type { PageIncludes } from "./contract.js";
import { toCollectionItem, toModules } from "./items.js";

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

/** The includes that `include=` offers: those of the API, and those of the list `pageIncludes`. */
export class Includes {
  readonly #own: PageIncludes;
  readonly #added: ExtensionList<Extensions["pageIncludes"]>;
  readonly #now: () => number;

  constructor(site: SiteContext) {
    this.#own = ownIncludes(site);
    this.#added = site.extensions.open("pageIncludes", INCLUDE_RULES);
    this.#now = () => site.runtime.clock.now();
  }

  /** All names, in the order in which they are offered. */
  get names(): readonly string[] {
    return [...new Set([...Object.keys(this.#own), ...this.#added.keys])];
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#own, name) || this.#added.part(name) !== undefined;
  }

  /** @throws HttpError 400 for a name that no include has, with the nearest one. */
  assertName(name: string): void {
    if (this.has(name)) return;
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

  /** The values of the named includes for a page; one of a plugin that fails is left out. */
  async loadValues(
    names: readonly string[],
    entry: PageEntry,
    view: ContentView,
  ): Promise<Record<string, unknown>> {
    const values: Record<string, unknown> = {};
    for (const name of names) {
      const builtIn = Object.hasOwn(this.#own, name) ? this.#own[name] : undefined;
      const value: unknown =
        builtIn === undefined
          ? await this.#added.part(name)?.call(
              (include) => include.of(entry, view),
              () => view.expireAt(this.#now() + FAILED_PART_MS),
            )
          : await builtIn.of(entry, view);
      if (value !== undefined) values[name] = value;
    }
    return values;
  }
}

/** The relations in fields of a page's blueprint; `item` is the page if the viewer may see it, else null. */
function toRelations(content: ContentService, view: ContentView, entry: PageEntry) {
  noteAllPages(view, entry);
  return content.relations
    .of(entry)
    .filter(({ field }) => !isPrivateKey(field))
    .map(({ field, target, key, entry: page }) => ({
      field,
      type: target,
      key,
      item: page !== null && view.isListed(page) ? toCollectionItem(page) : null,
    }));
}

/** The visible pages that name a page, in tree order. */
function toBackReferences(content: ContentService, view: ContentView, entry: PageEntry) {
  noteAllPages(view, entry);
  return content.relations
    .referencedBy(entry)
    .filter(({ entry: from, field }) => view.isListed(from) && !isPrivateKey(field))
    .map(({ entry: from, field }) => ({ field, item: toCollectionItem(from) }));
}

/** Any page may begin or cease to be visible, or to name this one. */
function noteAllPages(view: ContentView, { lang }: PageEntry): void {
  view.all({ lang });
}
