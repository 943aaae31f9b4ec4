import { type SiteContext, escapeHtml } from "#kernel";
import type {
  ContentService,
  ContentView,
  MediaItem,
  PageEntry,
} from "../../../content/contract.js";
import type {} from "../../../media/contract.js";
import type { ImageAttributes, MediaView } from "../../contract.js";
import type { PictureMarkup } from "../../theme-api/drawing.js";
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

  /**
   * Returns the markup around the `<img>` with this address. Adds a tag to `reads` while its formats are not known
   * yet.
   */
  findMarkup(src: string, reads: Set<string>): PictureMarkup | null {
    if (!src.startsWith("/content-media/")) return null;
    const image = this.#site.use("media", { optional: true })?.imageSources(src) ?? null;
    if (image === "pending") reads.add(`image:${src}`);
    if (image === "pending" || image === null) return null;
    const { srcset, sources, color, problem } = image;
    const tone = color === null ? null : toTone(color);
    return { srcset, isResizable: problem === null, sources, tone };
  }

  /** A rendered body with `<picture>`s around its images. */
  inBody(html: string, { reads }: Pick<ContentView, "reads">): string {
    return withPictures(html, (src) => this.findMarkup(src, reads));
  }

  async #attributes(item: MediaItem, entry: PageEntry): Promise<ImageAttributes> {
    if (!item.type.startsWith("image/")) return NONE;
    return (
      (await this.#site.use("media", { optional: true })?.imageAttributes(item, entry)) ?? NONE
    );
  }
}

/** Luminance up to which white is read better than black (WCAG 2.2, 1.4.3). */
const DARK = 0.179;

/**
 * A colour as style sheets select it without inline styles: 8 levels of red, green and blue, and
 * `*` for a dark colour. `#1a7fe0` becomes `1-3+6*`.
 */
function toTone(color: string): string {
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  const [red, green, blue] = channels.map((value) => Math.round((value * 7) / 255));
  return `${red}-${green}+${blue}${luminance(channels) <= DARK ? "*" : ""}`;
}

function luminance(channels: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = channels.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Images, and elements whose images stay as they are. */
const IMAGES =
  /<(picture|script|style|template|textarea)\b[^]*?<\/\1\s*>|<img\b(?:[^>"']|"[^"]*"|'[^']*')*>/gi;
const VARIANTS = /\s(?:srcset|sizes)="[^"]*"/gi;
const ENTITY = /&(?:amp|#38|#x26|quot|#34|#x22);/gi;

/**
 * Wraps the images of a rendered body into `<picture>`s with the formats that are smaller. Images
 * with a `srcset` of their own stay as they are.
 */
export function withPictures(html: string, partsOf: (src: string) => PictureMarkup | null): string {
  if (!html.includes("<img")) return html;
  return html.replace(IMAGES, (tag: string, other: string | undefined) =>
    other === undefined ? wrap(tag, partsOf) : tag,
  );
}

function wrap(tag: string, partsOf: (src: string) => PictureMarkup | null): string {
  const src = readAttribute(tag, "src");
  const parts = src === null ? null : partsOf(src);
  if (parts === null || readAttribute(tag, "srcset") !== parts.srcset) return tag;
  if (!parts.isResizable) return tag.replace(VARIANTS, "");
  const image =
    parts.tone === null ? tag : `<img data-tone="${escapeHtml(parts.tone)}"${tag.slice(4)}`;
  if (parts.sources.length === 0) return image;
  const sizes = readAttribute(tag, "sizes");
  const sources = parts.sources.map(
    ({ type, srcset }) =>
      `<source type="${type}" srcset="${escapeHtml(srcset)}"${sizes === null ? "" : ` sizes="${escapeHtml(sizes)}"`}>`,
  );
  return `<picture>${sources.join("")}${image}</picture>`;
}

function readAttribute(tag: string, name: string): string | null {
  const value = new RegExp(`\\s${name}="([^"]*)"`, "i").exec(tag)?.[1];
  return value?.replace(ENTITY, (entity) => (/quot|34|22/i.test(entity) ? '"' : "&")) ?? null;
}
