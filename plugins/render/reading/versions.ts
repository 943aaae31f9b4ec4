import type { ContentView } from "../../content/contract.js";
import type { VersionView } from "../contract.js";

/** A version of a documentation: the pages below a folder. */
export interface Version {
  title: string;
  /** Route of its folder. */
  path: string;
}

/** True for a route and the pages below it. */
export function isBelow(route: string, above: string): boolean {
  return route === above || route.startsWith(`${above}/`);
}

/**
 * The versions for the switch of a page: each leads to the same page in its folder, or to its first page.
 * Empty for a page outside of all versions.
 */
export function versionViews(
  view: ContentView,
  place: { route: string; lang: string; current: Version | null; href(route: string): string },
  versions: readonly Version[],
): readonly VersionView[] {
  const { route, lang, current, href } = place;
  if (current === null) return [];
  const rest = current.path === "/" ? route : route.slice(current.path.length);
  return versions.map((version, index) => {
    const same = `${version.path === "/" ? "" : version.path}${rest === "/" ? "" : rest}` || "/";
    const target = view.page(same, lang) === undefined ? version.path : same;
    return {
      title: version.title,
      url: href(target),
      isCurrent: version === current,
      isLatest: index === 0,
    };
  });
}
