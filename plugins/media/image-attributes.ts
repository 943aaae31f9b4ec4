import type { ImageSize } from "./contract.js";
import { srcset } from "./srcset.js";

/** As wide as the text at most; `auto` lets browsers that know it use the width on the page. */
const SIZES = "auto, (max-width: 48rem) 100vw, 48rem";

/** What an `<img>` gets beside its address: the room it takes, and smaller variants of it. */
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
