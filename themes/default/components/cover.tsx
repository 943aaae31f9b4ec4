import { Picture } from "#theme";
import type { PageView } from "#theme";

interface CoverProps {
  page: PageView;
  class: string;
  /** How wide it is shown: the attribute `sizes`. */
  sizes: string;
}

/** The picture of a page, with the words of its sidecar; nothing when it has none. */
export function Cover({ page, class: name, sizes }: CoverProps) {
  if (page.image === null) return null;
  const item = page.media.find(({ url }) => url === page.image);
  return (
    <Picture
      class={name}
      src={page.image}
      alt={altOf(item?.meta["alt"])}
      attributes={page.imageAttributes}
      sizes={sizes}
      eager
    />
  );
}

/** Alternative text of a sidecar; empty where there is none. */
export function altOf(alt: unknown): string {
  return typeof alt === "string" ? alt : "";
}
