import { h, type VNode, Fragment } from "preact";
import { escapeHtml } from "#kernel";
import { currentDrawing, type PictureMarkup } from "./drawing.js";
import type { ModuleView, TemplateProps } from "../contract.js";

/** Props of `Html`. */
interface HtmlProps {
  /** Trusted markup: a rendered page, never a visitor's input. */
  html: string;
  /** Tag name of the element; default `div`. */
  as?: string;
  [attribute: string]: unknown;
}

/** Renders trusted HTML inside an element. */
export function Html({ html, as = "div", ...attributes }: HtmlProps): VNode {
  const parts = currentDrawing();
  const markup = parts === null ? html : parts.mark(html);
  return h(as, { ...attributes, dangerouslySetInnerHTML: { __html: markup } });
}

/** Text before an image that is still in the first view, in characters. */
const FIRST_VIEW = 1_000;
const SIZES = / sizes="auto, [^"]*"/g;
const IMAGE = /<img\b(?:[^>"']|"[^"]*"|'[^']*')*>/i;

/** Options of showing the images of a body. */
interface FitOptions {
  /** The width of the column, as in `sizes`. */
  sizes: string;
  /** True: an image in the first view is loaded at once, with priority. Not below another large image. */
  eager?: boolean;
}

/**
 * Fits the images of trusted HTML, such as `page.html`, to a column of the theme. A `sizes` that an
 * author has written stays.
 *
 * @example
 * fitImages(html, { sizes: "(max-width: 47rem) 92vw, 43rem", eager: true });
 */
export function fitImages(html: string, { sizes, eager = false }: FitOptions): string {
  if (!html.includes("<img")) return html;
  const fitted = html.replace(SIZES, () => ` sizes="auto, ${escapeHtml(sizes)}"`);
  return eager ? withEagerImage(fitted) : fitted;
}

function withEagerImage(html: string): string {
  const image = IMAGE.exec(html);
  if (image === null || !isInFirstView(html.slice(0, image.index))) return html;
  // The sources of its `<picture>` count too.
  const opened = html.lastIndexOf("<picture", image.index);
  const isInPicture = opened !== -1 && !html.slice(opened, image.index).includes("</picture");
  const start = isInPicture ? opened : image.index;
  const end = image.index + image[0].length;
  const part = html
    .slice(start, end)
    .replace(/ sizes="auto, /g, ' sizes="')
    .replace(' loading="lazy"', ' loading="eager" fetchpriority="high"');
  return html.slice(0, start) + part + html.slice(end);
}

function isInFirstView(before: string): boolean {
  return before.replace(/<[^>]*>/g, "").length <= FIRST_VIEW;
}

const HEADING = /<(\/?)h([1-6])(?=[\s>])/g;

/**
 * Lowers the headings of trusted HTML, all by the same number of levels, so that the highest one is
 * at least `level`. Use it for text below a heading of your own.
 *
 * @example
 * lowerHeadings("<h1>Prices</h1><h2>Boats</h2>", 2); // <h2>Prices</h2><h3>Boats</h3>
 */
export function lowerHeadings(html: string, level: number): string {
  const highest = Math.min(...[...html.matchAll(HEADING)].map((match) => Number(match[2])));
  const by = level - highest;
  if (by <= 0 || highest === Infinity) return html;
  return html.replace(
    HEADING,
    (_, slash: string, level) => `<${slash}h${Math.min(6, Number(level) + by)}`,
  );
}

/** Props of `Modules`. */
interface ModulesProps extends TemplateProps {
  /** Default: the modules of the page. */
  items?: readonly ModuleView[];
  /** True: the first one has the heading of the page. */
  hasTitle?: boolean;
}

/**
 * Draws modules or blocks, each with its component of the theme. Pass all props of the template.
 *
 * @example
 * <Layout {...props}>
 *   <h1>{props.page?.title}</h1>
 *   <Modules {...props} />
 * </Layout>
 */
export function Modules({ items, hasTitle = false, ...props }: ModulesProps): VNode {
  const modules = items ?? props.modules;
  return (
    <Fragment>
      {modules.map(({ Component, ...module }, index) => (
        <Component {...props} key={index} module={module} level={hasTitle && index === 0 ? 1 : 2} />
      ))}
    </Fragment>
  );
}

/** Props of `Picture`. */
interface PictureProps {
  src: string;
  alt: string;
  /** Attributes from the media plugin: `srcset`, `sizes`, `width`, `height`. */
  attributes?: Readonly<Record<string, string>>;
  /** Display width, instead of the media plugin's `sizes`; only with a `srcset`. */
  sizes?: string;
  /** The picture is above the fold: loaded eagerly. */
  eager?: boolean;
  class?: string;
}

/**
 * An image, loaded lazily unless it is above the fold. An image of a page is a `<picture>` with the
 * formats that are smaller.
 */
export function Picture(props: PictureProps): VNode {
  const parts = findMarkup(props);
  if (parts?.isResizable === false) {
    const { srcset: _srcset, sizes: _sizes, ...attributes } = props.attributes ?? {};
    return <Image {...props} attributes={attributes} sizes={undefined} tone={undefined} />;
  }
  const sizes = imageSizes(props);
  const image = <Image {...props} sizes={sizes} tone={parts?.tone ?? undefined} />;
  if (parts === null || parts.sources.length === 0) return image;
  return (
    <picture>
      {parts.sources.map(({ type, srcset }) => (
        <source key={type} type={type} srcset={srcset} sizes={sizes} />
      ))}
      {image}
    </picture>
  );
}

interface ImageProps extends PictureProps {
  sizes: string | undefined;
  tone: string | undefined;
}

function Image(props: ImageProps): VNode {
  const { src, alt, attributes, sizes, tone, eager = false, class: name } = props;
  return (
    <img
      {...attributes}
      {...(sizes !== undefined && { sizes })}
      src={src}
      alt={alt}
      class={name}
      loading={eager ? "eager" : "lazy"}
      fetchpriority={eager ? "high" : undefined}
      decoding="async"
      data-tone={tone}
    />
  );
}

/** Sources replace the `srcset` of the site only. */
function findMarkup({ src, attributes }: PictureProps): PictureMarkup | null {
  const parts = currentDrawing()?.pictureOf(src) ?? null;
  return parts?.srcset === attributes?.["srcset"] ? parts : null;
}

/** `auto` needs lazy loading. */
function imageSizes({ sizes, attributes, eager = false }: PictureProps): string | undefined {
  if (attributes?.["srcset"] === undefined) return undefined;
  const value = sizes ?? attributes["sizes"];
  return eager ? value?.replace(/^auto,\s*/, "") : value;
}

/** Joins class names; false, null and empty values are dropped. Undefined when nothing remains. */
export function cx(...names: (string | false | null | undefined)[]): string | undefined {
  const used = names.filter((name) => typeof name === "string" && name !== "");
  return used.length === 0 ? undefined : used.join(" ");
}
