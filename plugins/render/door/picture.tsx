import type { VNode } from "preact";

interface PictureProps {
  src: string;
  alt: string;
  /** What the media plugin adds: `srcset`, `sizes`, `width`, `height`. */
  attributes?: Readonly<Record<string, string>>;
  /** The picture is in the first screen: loaded at once. */
  eager?: boolean;
  class?: string;
}

/** An image, loaded lazily unless it is the first thing seen. */
export function Picture({ src, alt, attributes, eager = false, class: name }: PictureProps): VNode {
  return (
    <img
      {...attributes}
      src={src}
      alt={alt}
      class={name}
      loading={eager ? "eager" : "lazy"}
      fetchpriority={eager ? "high" : undefined}
      decoding="async"
    />
  );
}
