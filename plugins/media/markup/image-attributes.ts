import type { ImageHeader } from "../contract.js";
import { srcset } from "./srcset.js";

/** At most as wide as the text; browsers that support `auto` use the width in the layout. */
const SIZES = "auto, (max-width: 48rem) 100vw, 48rem";

/** Attributes of an `<img>`: its dimensions, and smaller variants if it can be resized. */
export function imageAttributes(
  url: string,
  size: ImageHeader | null,
  allowedSizes: readonly number[],
): Record<string, string> {
  if (size === null) return {};
  const attributes = { width: String(size.width), height: String(size.height) };
  if (size.problem !== undefined) return attributes;
  const candidates = srcset(url, allowedSizes, { width: size.width });
  return candidates === "" ? attributes : { ...attributes, srcset: candidates, sizes: SIZES };
}
