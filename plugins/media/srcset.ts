import type { SrcsetOptions } from "./contract.js";
import { formatOf } from "./variant.js";

/**
 * The candidates of an image over the allowed sizes: `/content-media/a.jpg?width=320 320w, …`.
 * Empty when the file is never processed, or smaller than the smallest size. An animation is left
 * out: its variants cost more than they save.
 */
export function srcset(
  url: string,
  allowedSizes: readonly number[],
  { width, format, quality }: SrcsetOptions = {},
): string {
  const path = url.split(/[?#]/, 1)[0] ?? "";
  const own = formatOf(path.slice(path.lastIndexOf("/") + 1));
  if (own === null || (own === "gif" && format === undefined)) return "";
  return [...allowedSizes]
    .filter((size) => width === undefined || size <= width)
    .sort((a, b) => a - b)
    .map((size) => `${path}?${query({ width: size, format, quality })} ${size}w`)
    .join(", ");
}

function query(parameters: Record<string, string | number | undefined>): string {
  return Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}
