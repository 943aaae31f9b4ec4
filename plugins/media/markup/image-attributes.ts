import type { ImageSize } from "../contract.js";
import { srcset } from "./srcset.js";

/** At most as wide as the text; browsers that support `auto` use the width in the layout. */
const SIZES = "auto, (max-width: 48rem) 100vw, 48rem";

/** Attributes of an `<img>`: its dimensions and smaller variants. */
export function imageAttributes(
  url: string,
  size: ImageSize | null,
  allowedSizes: readonly number[],
): Record<string, string> {
  if (size === null) return {};
  const attributes = { width: String(size.width), height: String(size.height) };
  const candidates = srcset(url, allowedSizes, { width: size.width });
  return candidates === "" ? attributes : { ...attributes, srcset: candidates, sizes: SIZES };
}
