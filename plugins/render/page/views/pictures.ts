import type { SiteContext } from "#kernel";
import type {
  ContentService,
  ContentView,
  MediaItem,
  PageEntry,
} from "../../../content/contract.js";
import type {} from "../../../media/contract.js";
import type { ImageAttributes, MediaView } from "../../contract.js";
import type { PictureParts } from "../../theme-api/open-parts.js";
import { withPictures } from "./body-pictures.js";
import { toTone } from "./image-tone.js";
import { encodePath } from "../url.js";

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

  /** What surrounds the `<img>` with this address. `reads` learns of what is not known yet. */
  partsOf(src: string, reads: Set<string>): PictureParts | null {
    if (!src.startsWith("/content-media/")) return null;
    const found = this.#site.use("media", { optional: true })?.imageSources(src) ?? null;
    if (found === "pending") reads.add(`image:${src}`);
    if (found === "pending" || found === null) return null;
    const { srcset, sources, color, problem } = found;
    const tone = color === null ? null : toTone(color);
    return { srcset, isResizable: problem === null, sources, tone };
  }

  /** A rendered body with `<picture>`s around its images. */
  inBody(html: string, { reads }: Pick<ContentView, "reads">): string {
    return withPictures(html, (src) => this.partsOf(src, reads));
  }

  async #attributes(item: MediaItem, entry: PageEntry): Promise<ImageAttributes> {
    if (!item.type.startsWith("image/")) return NONE;
    return (
      (await this.#site.use("media", { optional: true })?.imageAttributes(item, entry)) ?? NONE
    );
  }
}
