import type { VNode } from "preact";

interface PictureProps {
  src: string;
  alt: string;
  /** What the media plugin adds: `srcset`, `sizes`, `width`, `height`. */
  attributes?: Readonly<Record<string, string>>;
  /** How wide it is shown, in place of what the media plugin says; only with a `srcset`. */
  sizes?: string;
  /** The picture is in the first screen: loaded at once. */
  eager?: boolean;
  class?: string;
}

/** An image, loaded lazily unless it is the first thing seen. */
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
