import type { VNode } from "preact";

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

/** An image, loaded lazily unless it is above the fold. */
export function Picture(props: PictureProps): VNode {
  const { src, alt, attributes, sizes, eager = false, class: name } = props;
  return (
    <img
      {...attributes}
      {...(sizes !== undefined && attributes?.["srcset"] !== undefined ? { sizes } : {})}
      src={src}
      alt={alt}
      class={name}
      loading={eager ? "eager" : "lazy"}
      fetchpriority={eager ? "high" : undefined}
      decoding="async"
    />
  );
}
