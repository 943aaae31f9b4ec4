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
  const [first = "", ...more] = route.slice(1).split("/");
  // A term may contain a slash.
  const value = more.join("/");
  if (taxonomies.includes(first)) {
    if (more.length === 0) return { kind: "terms", name: first };
    return value === "" ? null : { kind: "term", name: first, value };
  }
  if (first === "author" && more.length === 1 && value !== "") return { kind: "author", value };
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
