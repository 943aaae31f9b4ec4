import { imageFormatOf } from "#lib/files";
import type { SrcsetOptions, ImageHeader } from "./contract.js";

/**
 * The candidates of an image for the allowed sizes: `/content-media/a.jpg?width=320 320w, …`, and
 * the original if its width is between two of them, because browsers choose among candidates only.
 * Empty for files that are not processed or are smaller than the smallest size, and for animations:
 * their variants cost more than they save.
 */
export function srcset(
  url: string,
  allowedSizes: readonly number[],
  { width, format, quality }: SrcsetOptions = {},
): string {
  const path = url.split(/[?#]/, 1)[0] ?? "";
  const own = imageFormatOf(path.slice(path.lastIndexOf("/") + 1));
  if (own === null || (own === "gif" && format === undefined)) return "";
  const sizes = [...allowedSizes].sort((a, b) => a - b);
  const smaller = sizes.filter((size) => width === undefined || size <= width);
  const candidates = smaller.map(
    (size) => `${path}${query({ width: size, format, quality })} ${size}w`,
  );
  const isBetween = smaller.length < sizes.length && width !== smaller.at(-1);
  if (candidates.length > 0 && isBetween)
    candidates.push(`${path}${query({ format, quality })} ${width}w`);
  return candidates.join(", ");
}

/** With its question mark; empty without parameters. */
function query(parameters: Record<string, string | number | undefined>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return given.length === 0 ? "" : `?${given.map(([name, value]) => `${name}=${value}`).join("&")}`;
}

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
