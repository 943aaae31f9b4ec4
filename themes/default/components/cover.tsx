import { Picture } from "#theme";
import type { PageView } from "#theme";

interface CoverProps {
  page: PageView;
  class: string;
  /** The displayed width: the attribute `sizes`. */
  sizes: string;
}

/** The image of a page, with the `alt` of its sidecar; nothing without an image. */
export function Cover({ page, class: name, sizes }: CoverProps) {
  if (page.image === null) return null;
  const item = page.media.find(({ url }) => url === page.image);
  return (
    <Picture
      class={name}
      src={page.image}
      alt={toAlt(item?.meta["alt"])}
      attributes={page.imageAttributes}
      sizes={sizes}
      eager
    />
  );
}

/** The alternative text of the sidecar, or an empty string. */
export function toAlt(alt: unknown): string {
  return typeof alt === "string" ? alt : "";
}
