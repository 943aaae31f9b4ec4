import { siteHref } from "../../../boot.js";
import type { MediaItem } from "../../../api/media/media.js";

let known: ReadonlyMap<string, string> = new Map();

/** Addresses of the pictures that the text names: files of the page by their name. */
export const mediaAddresses = {
  /** Sets the files of the page. */
  use(items: readonly MediaItem[]): void {
    known = new Map(items.map(({ name, url }) => [name, url]));
  },
  /** Adds an uploaded file. */
  add({ name, url }: Pick<MediaItem, "name" | "url">): void {
    known = new Map([...known, [name, url]]);
  },
  /** The address of a target in the text; null when the panel may not load it. */
  find(target: string): string | null {
    const name = target.replace(/^<|>$/g, "").replace(/^\.\//, "").replace(/\?.*$/, "");
    if (/^\/(?!\/)/.test(name)) return siteHref(name);
    const address = known.get(decoded(name));
    return address === undefined ? null : siteHref(address);
  },
};

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
