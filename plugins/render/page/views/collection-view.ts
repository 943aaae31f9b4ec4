import { z } from "zod";
import type {
  CollectionQuery,
  ContentService,
  ContentView,
  PageEntry,
} from "../../../content/contract.js";
import type { MarkdownService } from "../../../markdown/contract.js";
import type { CollectionItemView, CollectionView } from "../../contract.js";
import type { Pictures } from "./pictures.js";
import { textDirection } from "../../theme/strings.js";

type Addresses = Pick<ContentService["addresses"], "imageOf">;

/** Options of a page's collection. */
export interface CollectionRequest {
  query: CollectionQuery;
  self: PageEntry | null;
  pageNumber: number;
  /** Address of the page, without `/page:n`. */
  url: string;
}

/** A page of a list of entries. */
interface ListRequest {
  /** All entries of the list. */
  entries: readonly PageEntry[];
  /** Entries per page. */
  size: number;
  pageNumber: number;
  /** Address of the list, without `/page:n`. */
  url: string;
}

/** An empty list. */
export const emptyCollection: CollectionView = {
  items: [],
  total: 0,
  page: 1,
  pages: 1,
  hasNext: false,
  hasPrev: false,
  prevUrl: null,
  nextUrl: null,
};

/** Collections with the data for lists. Excerpts are cached as long as their entry. */
export class CollectionViews {
  readonly #addresses: Addresses;
  readonly #markdown: MarkdownService;
  readonly #pictures: Pictures;
  // Not in site.cache: an excerpt lives with its entry.
  readonly #excerpts = new WeakMap<PageEntry, string>();

  constructor(addresses: Addresses, markdown: MarkdownService, pictures: Pictures) {
    this.#addresses = addresses;
    this.#markdown = markdown;
    this.#pictures = pictures;
  }

  /** @throws ERR_COLLECTION_SOURCE. */
  async resolve(view: ContentView, request: CollectionRequest): Promise<CollectionView> {
    const { query, self, pageNumber, url } = request;
    const collection = await view.collection(query, self, pageNumber);
    const items = await Promise.all(collection.items.map((entry) => this.#item(view, entry)));
    // A list with a `limit` has no further pages.
    const isPaged = Boolean(query.pagination);
    const base = url === "/" ? "" : url;
    const at = (page: number) => (page === 1 ? url : `${base}/page:${page}`);
    return {
      ...collection,
      items,
      prevUrl: isPaged && collection.hasPrev ? at(collection.page - 1) : null,
      nextUrl: isPaged && collection.hasNext ? at(collection.page + 1) : null,
    };
  }

  /** The view of a page of a list. */
  async list(view: ContentView, request: ListRequest): Promise<CollectionView> {
    const { entries, size, pageNumber: page, url } = request;
    const pages = Math.max(1, Math.ceil(entries.length / size));
    const shown = entries.slice((page - 1) * size, page * size);
    const at = (number: number) => (number === 1 ? url : `${url}/page:${number}`);
    return {
      items: await Promise.all(shown.map((entry) => this.#item(view, entry))),
      total: entries.length,
      page,
      pages,
      hasNext: page < pages,
      hasPrev: page > 1,
      prevUrl: page > 1 ? at(page - 1) : null,
      nextUrl: page < pages ? at(page + 1) : null,
    };
  }

  async #item(view: ContentView, entry: PageEntry): Promise<CollectionItemView> {
    const { route, title, date, template, taxonomy, frontmatter } = entry;
    const image = this.#addresses.imageOf(entry);
    if (image !== null) view.reads.add(`media:${entry.folder}`);
    return {
      lang: entry.lang,
      dir: textDirection(entry.lang),
      fallback: entry.standsInFor !== undefined,
      route,
      url: entry.url,
      title,
      date,
      template,
      excerpt: await this.#excerpt(view, entry),
      image,
      imageAttributes: await this.#pictures.at(image, entry),
      taxonomy,
      frontmatter,
      ...(entry.isModule && { html: await this.#html(view, entry) }),
    };
  }

  async #html(view: ContentView, entry: PageEntry): Promise<string> {
    const { html, reads = [], until } = await this.#markdown.render(await view.load(entry));
    for (const tag of reads) view.reads.add(tag);
    if (until !== undefined) view.expireAt(until);
    return this.#pictures.inBody(html, view);
  }

  async #excerpt(view: ContentView, entry: PageEntry): Promise<string> {
    const summary = entry.frontmatter["summary"];
    if (typeof summary === "string") return summary;
    const cached = this.#excerpts.get(entry);
    view.reads.add(`page:${entry.sourcePath}`);
    if (cached !== undefined) return cached;
    const excerpt = await this.#load(view, entry);
    this.#excerpts.set(entry, excerpt);
    return excerpt;
  }

  // Files deleted since the index was built, and rows of other sources, have no text.
  async #load(view: ContentView, entry: PageEntry): Promise<string> {
    try {
      return this.#markdown.excerpt(await view.load(entry));
    } catch {
      return "";
    }
  }
}

const whole = z.number().int().min(0);

const items = z.union([z.string(), z.record(z.string(), z.unknown())]);
const filter = z.record(z.string(), z.unknown()).optional();
const order = z
  .strictObject({ by: z.string().optional(), dir: z.enum(["asc", "desc"]).optional() })
  .optional();
const limit = whole.optional();
const offset = whole.optional();
const pagination = z
  .union([
    z.strictObject({ size: z.number().int().min(1) }),
    z.boolean().transform((on) => (on ? { size: 10 } : null)),
  ])
  .nullish();
const fallback = z.boolean().optional();

/** A collection as written in `theme.yaml`: a theme with a mistake is rejected. */
export const StrictCollectionSchema = z.strictObject({
  items,
  filter,
  order,
  limit,
  offset,
  pagination,
  fallback,
});

/** A collection as written in front matter: what is invalid counts as missing, so that the page is shown. */
export const CollectionQuerySchema = z.object({
  items,
  filter: filter.catch(undefined),
  order: order.catch(undefined),
  limit: limit.catch(undefined),
  offset: offset.catch(undefined),
  pagination: pagination.catch(undefined),
  fallback: fallback.catch(undefined),
});
