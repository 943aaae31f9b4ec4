import type { SiteContext } from "#kernel";
import type { ContentService, MediaItem, PageEntry } from "../../content/contract.js";
import type {} from "../../media/contract.js";
import type { ImageAttributes, MediaView } from "../contract.js";
import { encodePath } from "./url.js";

const NONE: ImageAttributes = Object.freeze({});
const NO_MEDIA: readonly MediaView[] = Object.freeze([]);

/** Attributes of pictures that prevent layout shifts and oversized downloads. */
export class Pictures {
  readonly #site: Pick<SiteContext, "use">;
  readonly #content: Pick<ContentService, "media">;
  /** By listing, which is reused while nothing in it changes. */
  // Not in site.cache: the views live with their listing, and their identity counts.
  readonly #views = new WeakMap<readonly MediaItem[], readonly MediaView[]>();

  constructor(site: Pick<SiteContext, "use">, content: Pick<ContentService, "media">) {
    this.#site = site;
    this.#content = content;
  }

  /** The files of a page, its images with their attributes. */
  async ofPage(media: readonly MediaItem[], entry: PageEntry): Promise<readonly MediaView[]> {
    if (media.length === 0) return NO_MEDIA;
    const cached = this.#views.get(media);
    if (cached !== undefined) return cached;
    const views = await Promise.all(
      media.map(async (item) => ({ ...item, attributes: await this.#attributes(item, entry) })),
    );
    this.#views.set(media, views);
    return views;
  }

  /** Attributes of the page's file at `url`; none for other addresses. */
  async at(url: string | null, entry: PageEntry): Promise<ImageAttributes> {
    if (url === null || !url.startsWith("/content-media/")) return NONE;
    const media = await this.#content.media(entry.folder);
    const folder = `/content-media/${entry.folder}`;
    const item = media.find(({ name }) => encodePath(`${folder}/${name}`) === url);
    return item === undefined ? NONE : this.#attributes(item, entry);
  }

  async #attributes(item: MediaItem, entry: PageEntry): Promise<ImageAttributes> {
    if (!item.type.startsWith("image/")) return NONE;
    return (
      (await this.#site.use("media", { optional: true })?.imageAttributes(item, entry)) ?? NONE
    );
  }
}
