import type { VNode } from "preact";
import { openParts, type PictureParts } from "./open-parts.js";

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
  const parts = partsOf(props);
  if (parts?.isResizable === false) {
    const { srcset: _srcset, sizes: _sizes, ...attributes } = props.attributes ?? {};
    return <Image {...props} attributes={attributes} sizes={undefined} tone={undefined} />;
  }
  const sizes = sizesOf(props);
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
function partsOf({ src, attributes }: PictureProps): PictureParts | null {
  const parts = openParts()?.pictureOf(src) ?? null;
  return parts?.srcset === attributes?.["srcset"] ? parts : null;
}

/** `auto` needs lazy loading. */
function sizesOf({ sizes, attributes, eager = false }: PictureProps): string | undefined {
  if (attributes?.["srcset"] === undefined) return undefined;
  const given = sizes ?? attributes["sizes"];
  return eager ? given?.replace(/^auto,\s*/, "") : given;
}
