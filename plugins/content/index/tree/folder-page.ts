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
interface FolderFiles {
  readonly all: number;
  /** Those named after a template. */
  readonly templates: number;
}

/**
 * What makes a file the page of its folder; null for a page of its own. A number makes every file a page of
 * its own.
 */
function folderClaim(
  { stem, order }: Pick<FileName, "stem" | "order">,
  folder: FolderFacts,
  { all, templates }: FolderFiles,
  isTemplate: (stem: string) => boolean,
): FolderClaim | null {
  if (order !== null) return null;
  const lower = stem.toLowerCase();
  if (lower === "default") return "default";
  if (isIndex(stem)) return "index";
  if (lower === "_index") return "_index";
  // At the top, a README comes after the numbered pages; see `findHome`.
  if (folder.isTop) return null;
  if (folder.name.order !== null && all === 1) return "only";
  if (isTemplate(stem) && (templates === 1 || folder.name.isModule)) return "template";
  if (lower === "readme") return "readme";
  // Every file of a module is a part of its page.
  return folder.name.isModule ? "only" : null;
}

/** The page of a folder, and the files that might have been it. */
export interface FolderPage<T> {
  /** Null: no file is the page of the folder. */
  readonly page: T | null;
  readonly claims: ReadonlyMap<T, FolderClaim>;
}

/** Which of the files of a folder in one language is the page of the folder. */
export function folderPageOf<T extends Pick<FileName, "stem" | "order">>(
  files: readonly T[],
  folder: FolderFacts,
  isTemplate: (stem: string) => boolean,
): FolderPage<T> {
  const unnumbered = files.filter(({ order }) => order === null);
  const counts = {
    all: files.length,
    templates: unnumbered.filter(({ stem }) => isTemplate(stem)).length,
  };
  const claims = new Map<T, FolderClaim>();
  for (const file of unnumbered) {
    const claim = folderClaim(file, folder, counts, isTemplate);
    if (claim !== null) claims.set(file, claim);
  }
  const best = CLAIMS.find((claim) => [...claims.values()].includes(claim));
  const owner = [...claims].find(([, claim]) => claim === best);
  return { page: owner?.[0] ?? null, claims };
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
