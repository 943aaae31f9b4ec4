import { escapeHtml } from "#kernel";
import type { PictureParts } from "../../theme-api/open-parts.js";

/** Images, and elements whose images stay as they are. */
const IMAGES =
  /<(picture|script|style|template|textarea)\b[^]*?<\/\1\s*>|<img\b(?:[^>"']|"[^"]*"|'[^']*')*>/gi;
const VARIANTS = /\s(?:srcset|sizes)="[^"]*"/gi;
const ENTITY = /&(?:amp|#38|#x26|quot|#34|#x22);/gi;

/**
 * Wraps the images of a rendered body into `<picture>`s with the formats that are smaller. Images
 * with a `srcset` of their own stay as they are.
 */
export function withPictures(html: string, partsOf: (src: string) => PictureParts | null): string {
  if (!html.includes("<img")) return html;
  return html.replace(IMAGES, (tag: string, other: string | undefined) =>
    other === undefined ? wrap(tag, partsOf) : tag,
  );
}

function wrap(tag: string, partsOf: (src: string) => PictureParts | null): string {
  const src = attributeOf(tag, "src");
  const parts = src === null ? null : partsOf(src);
  if (parts === null || attributeOf(tag, "srcset") !== parts.srcset) return tag;
  if (!parts.isResizable) return tag.replace(VARIANTS, "");
  const image =
    parts.tone === null ? tag : `<img data-tone="${escapeHtml(parts.tone)}"${tag.slice(4)}`;
  if (parts.sources.length === 0) return image;
  const sizes = attributeOf(tag, "sizes");
  const sources = parts.sources.map(
    ({ type, srcset }) =>
      `<source type="${type}" srcset="${escapeHtml(srcset)}"${sizes === null ? "" : ` sizes="${escapeHtml(sizes)}"`}>`,
  );
  return `<picture>${sources.join("")}${image}</picture>`;
}

function attributeOf(tag: string, name: string): string | null {
  const value = new RegExp(`\\s${name}="([^"]*)"`, "i").exec(tag)?.[1];
  return value?.replace(ENTITY, (entity) => (/quot|34|22/i.test(entity) ? '"' : "&")) ?? null;
}
