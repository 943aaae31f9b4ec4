/** Decides which file is the page of a folder, and which files are pages of their own or kept off the site. */
import type { FileName, FolderName } from "../read/source-name.js";
import { groupBy } from "./lookups.js";
import {
  isWithheld,
  type Candidate,
  type FolderNode,
  type NameIssue,
  type PositionRules,
} from "./tree-nodes.js";

/** A folder, for the question which file is its page. */
export interface FolderFacts {
  readonly name: Pick<FolderName, "order" | "isModule">;
  /** True for the content folder itself. */
  readonly isTop: boolean;
}

/** Why a file may be the page of its folder; an earlier one wins. */
const CLAIMS = ["default", "index", "only", "template", "readme", "_index"] as const;
export type FolderClaim = (typeof CLAIMS)[number];

/** Counts of the files of a folder in one language. */
interface FolderFiles {
  readonly all: number;
  /** Those named after a template. */
  readonly templates: number;
}

/**
 * The reason why a file is the page of its folder; null for a page of its own. A number makes every file a page of
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

/** Chooses the page of a folder among its files in one language. */
export function chooseFolderPage<T extends Pick<FileName, "stem" | "order">>(
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

type SettleRules = Pick<PositionRules, "templates" | "languages" | "defaultLanguage">;

/** Sets `isFolderPage` and `issue` of the files of a folder. */
export function settleFolder(node: FolderNode, rules: SettleRules): void {
  for (const candidate of node.candidates) {
    candidate.isFolderPage = false;
    candidate.issue = copyIssue(candidate) ?? languageIssue(candidate, node, rules);
  }
  const files = node.candidates.filter((candidate) => !isWithheld(candidate));
  const groups = groupBy(files, ({ name }) => name.lang);
  const originals = groups.get(rules.defaultLanguage) ?? [];
  settleLanguage(originals, node, rules);
  const ownPages = originals.filter((file) => !file.isFolderPage && !isWithheld(file));
  const stems = new Set(ownPages.map(fileStem));
  for (const [lang, group] of groups) {
    if (lang === rules.defaultLanguage) continue;
    // A translation is the page of the folder if its original is.
    settleLanguage(
      group.filter((candidate) => !stems.has(fileStem(candidate))),
      node,
      rules,
    );
  }
}

function settleLanguage(
  files: readonly Candidate[],
  node: FolderNode,
  { templates }: SettleRules,
): void {
  const folder = { name: node.name, isTop: node.parent === null };
  const named = files.map((file) => ({ file, stem: file.name.stem, order: file.name.order }));
  const { page, claims } = chooseFolderPage(named, folder, (stem) => templates.has(stem));
  if (page === null) return;
  const best = claims.get(page);
  for (const [{ file }, claim] of claims) {
    file.isFolderPage = claim === best;
    if (claim === best) continue;
    if (claim === "index" || claim === "_index") file.issue = takenIssue(page.file);
  }
}

function takenIssue({ record }: Candidate): NameIssue {
  const owner = JSON.stringify(record.sourcePath);
  return {
    severity: "error",
    code: "ERR_CONTENT_DUPLICATE_ROUTE",
    message: `the page of this folder is ${owner}; rename this file or delete one of them`,
  };
}

/** The problem of a file whose name says that it is a draft or a copy. With a slug, it is a page of its own. */
function copyIssue({ name, record }: Candidate): NameIssue | null {
  const { copySuffix } = name;
  if (copySuffix === null || record.frontmatter["slug"] !== undefined) return null;
  const shown = JSON.stringify(copySuffix);
  return {
    severity: "error",
    code: "ERR_CONTENT_NAME",
    message: `the name ends in ${shown}, as drafts and copies do; the page is off the site until the file has another name, or the page has a slug`,
  };
}

/** The problem of a file whose name ends in the code of a language that the site does not have. */
function languageIssue(
  { name, record }: Candidate,
  node: FolderNode,
  { languages }: SettleRules,
): NameIssue | null {
  const { foreignLanguage, stem } = name;
  // With a slug, the author has decided that it is a page of its own.
  if (foreignLanguage === null || record.frontmatter["slug"] !== undefined) return null;
  const base = stem.slice(0, -foreignLanguage.length - 1);
  const isTranslation =
    languages.length > 1 ||
    base.toLowerCase() === "default" ||
    isIndex(base) ||
    node.candidates.some((other) => other.name.stem === base);
  const shown = JSON.stringify(foreignLanguage);
  const supported = languages.join(", ");
  return {
    severity: isTranslation ? "error" : "warning",
    code: "ERR_CONTENT_LANGUAGE",
    message: isTranslation
      ? `the name ends in the language ${shown}, the site has ${supported}; the page is off the site until the language is in languages.supported (system.yaml), the name is corrected, or the page has a slug`
      : `the name ends in the language ${shown}, and the site has ${supported} only; it is part of the address, give the page a slug if it is no translation`,
  };
}

function fileStem({ name }: Candidate): string {
  return name.stem;
}
