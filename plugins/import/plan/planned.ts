/** Pages and files with their places. */
import type { ImportedMedia, ImportedPage, Translation } from "../contract.js";

/** A page and its place. */
export interface PlannedPage extends Pick<
  ImportedPage,
  "origin" | "template" | "position" | "addresses"
> {
  readonly isOptional: boolean;
  /** The path that the source wants; null: from the route. */
  readonly wantedPath: string | null;
  readonly wantedRoute: string;
  /** The wanted route, then the one that it gets; of a translation, the address with its prefix. */
  route: string;
  /** Path of its file below `content/`. */
  path: string;
  /** For a translation, as the source says. */
  readonly translation: Translation | null;
  /** The last segment of the address of a translation that has another one than its page; else null. */
  slug: string | null;
  /** The language of a translation, as the site spells it; null in the main language. */
  lang: string | null;
  /** Why it stays behind; null when it is imported. */
  leftOut: string | null;
  /** The file that has the route on the site already; null: the route is free, or this page's. */
  takenBy: string | null;
}
/** A file and its place. */
export interface PlannedMedia extends Pick<ImportedMedia, "origin" | "from" | "addresses"> {
  readonly meta: Readonly<Record<string, string>> | null;
  readonly name: string;
  readonly folder: string;
  readonly owner: string | null;
  /** Path below `content/`. */
  path: string;
}
/** The folder of a planned page below `content/`; empty at the top. */
export function folderOf({ path }: Pick<PlannedPage, "path">): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}
