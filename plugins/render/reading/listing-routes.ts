import type { SiteSettings } from "#kernel";
import type {} from "../contract.js";

/** The lists that no file describes: of a term, of all terms of a taxonomy, of an author, of all years. */
export type ListingPlace =
  | { kind: "term"; name: string; value: string }
  | { kind: "terms"; name: string }
  | { kind: "author"; value: string }
  | { kind: "archive" };

type ThemeSettings = SiteSettings["theme"];

/** True when the site has pages for terms, authors and years: with the presets `docs` and `blog`. */
export function hasListings({ preset, listings }: ThemeSettings): boolean {
  return listings ?? preset !== "site";
}

/** The list at a route without language prefix; null for any other route. */
export function listingPlace(route: string, taxonomies: readonly string[]): ListingPlace | null {
  const [first = "", second, ...more] = route.slice(1).split("/");
  if (more.length > 0 || second === "") return null;
  if (taxonomies.includes(first)) {
    return second === undefined
      ? { kind: "terms", name: first }
      : { kind: "term", name: first, value: second };
  }
  if (first === "author" && second !== undefined) return { kind: "author", value: second };
  return route === "/archive" ? { kind: "archive" } : null;
}

/** Route of the pages with a term. */
export function termRoute(name: string, value: string): string {
  return `/${name}/${value}`;
}

/** Route of the pages by an author. */
export function authorRoute(author: string): string {
  const slug = author
    .normalize("NFC")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .join("-");
  return `/author/${slug}`;
}
