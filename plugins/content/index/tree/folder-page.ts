/** Which file is the page of a folder. */
import type { FileName, FolderName } from "../../read/source-name.js";

/** A folder, for the question which file is its page. */
export interface FolderFacts {
  readonly name: Pick<FolderName, "order" | "isModule">;
  /** True for the content folder itself. */
  readonly isTop: boolean;
}

/** Why a file may be the page of its folder; an earlier one wins. */
const CLAIMS = ["default", "index", "only", "template", "readme", "_index"] as const;
export type FolderClaim = (typeof CLAIMS)[number];

/** What the files of a folder in one language say about each other. */
export interface FolderFiles {
  /** Files without a number. */
  readonly unnumbered: number;
  /** Those named after a template. */
  readonly templates: number;
}

/**
 * What makes a file the page of its folder; null for a page of its own. A number makes every file a page of
 * its own.
 */
export function folderClaim(
  { stem, order }: Pick<FileName, "stem" | "order">,
  folder: FolderFacts,
  { unnumbered, templates }: FolderFiles,
  isTemplate: (stem: string) => boolean,
): FolderClaim | null {
  if (order !== null) return null;
  const lower = stem.toLowerCase();
  if (lower === "default") return "default";
  if (isIndex(stem)) return "index";
  if (lower === "_index") return "_index";
  // At the top, a README comes after the numbered pages; see `findHome`.
  if (folder.isTop) return null;
  if (folder.name.order !== null && unnumbered === 1) return "only";
  if (isTemplate(stem) && (templates === 1 || folder.name.isModule)) return "template";
  if (lower === "readme") return "readme";
  // Every file of a module is a part of its page.
  return folder.name.isModule ? "only" : null;
}

/** The claim that wins; null without any. */
export function bestClaim(claims: readonly FolderClaim[]): FolderClaim | null {
  return CLAIMS.find((claim) => claims.includes(claim)) ?? null;
}

/** True for stems that name their folder, in any case: other systems write `Index.md` and `INDEX.md`. */
export function isIndex(stem: string): boolean {
  return stem.toLowerCase() === "index";
}

/** The template that a folder's page has by its stem. */
export function templateOfStem(stem: string): string {
  return isIndex(stem) || ["default", "_index", "readme"].includes(stem.toLowerCase())
    ? "default"
    : stem;
}
