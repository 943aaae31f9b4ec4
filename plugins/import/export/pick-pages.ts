/** The pages of an export: public ones, and unpublished and gated ones when asked for. Formats write them. */
import type { SiteContext } from "#kernel";
import type { ContentView, PageEntry, MediaItem, Page } from "../../content/contract.js";
import { exportError } from "../errors.js";
import type { ExportReport } from "../contract.js";

/** Options that say which pages an export includes. */
export interface PickOptions {
  /** Only pages at or below this route; null: all. */
  readonly below: string | null;
  readonly includesDrafts: boolean;
  readonly includesGated: boolean;
}
/** The pages of an export. */
export interface Picked {
  /** In tree order, all languages. */
  readonly pages: readonly PageEntry[];
  /** Sees every page: ask `accepts` before showing what it returns. */
  readonly view: ContentView;
  readonly drafts: number;
  readonly gated: number;
  readonly leftOut: { drafts: number; gated: number; withoutAddress: number };
  /** True for a page or module that the options include, anywhere on the site. */
  accepts(entry: PageEntry): boolean;
  /** True when anonymous visitors, or members for a gated page, see the page now. */
  isReleased(entry: PageEntry): boolean;
}

/** Picks the pages. @throws ERR_IMPORT_ROUTE when there are none below the route. */
export function pickPages(site: SiteContext, options: PickOptions): Picked {
  const content = site.use("content");
  const { entries } = content.generation();
  const roles = entries.flatMap(({ roles: rule }) => [...(rule?.all ?? []), ...(rule?.any ?? [])]);
  const members = content.view({ roles: [...new Set(roles)], seesUnpublished: false });
  const isReleased = (entry: PageEntry): boolean => members.canSee(entry);
  const leftOut = { drafts: 0, gated: 0, withoutAddress: 0 };
  const findReason = (entry: PageEntry): keyof typeof leftOut | null => {
    if (!options.includesDrafts && !isReleased(entry)) return "drafts";
    return !options.includesGated && entry.roles !== null ? "gated" : null;
  };
  const pages = entries.filter((entry) => {
    if (entry.isModule || !isBelow(entry.route, options.below)) return false;
    const reason = entry.routable ? findReason(entry) : "withoutAddress";
    if (reason !== null) leftOut[reason] += 1;
    return reason === null;
  });
  if (options.below !== null && pages.length === 0) throw noPages(options.below, leftOut);
  return {
    pages,
    leftOut,
    isReleased,
    accepts: (entry) => findReason(entry) === null,
    view: content.viewAll(),
    drafts: pages.filter((entry) => !isReleased(entry)).length,
    gated: pages.filter((entry) => entry.roles !== null).length,
  };
}

/** True for a route at or below another one; null: any route is. */
export function isBelow(route: string, below: string | null): boolean {
  return below === null || below === "/" || route === below || route.startsWith(`${below}/`);
}

function noPages(below: string, leftOut: Picked["leftOut"]): Error {
  const isHidden = leftOut.drafts + leftOut.gated > 0;
  return exportError(
    "ERR_IMPORT_ROUTE",
    `--route is ${JSON.stringify(below)}: ${isHidden ? "its pages are unpublished or for members" : "no page is there"}`,
    { fix: isHidden ? "add --drafts or --gated" : "name the address of a page, such as /blog" },
  );
}

/**
 * The files of a page. Pages that are single files share the folder of another page, which may be for members: its
 * files are left out with it.
 */
export async function pageMedia(
  site: SiteContext,
  picked: Picked,
  { entry, media }: Page,
): Promise<readonly MediaItem[]> {
  const [first] = media;
  if (first === undefined) return media;
  const file = await site.use("content").mediaFile(entry.folder, first.name);
  const owner = file?.entry ?? null;
  return owner === null || owner.sourcePath === entry.sourcePath || picked.accepts(owner)
    ? media
    : [];
}

/** The input of a format: the pages to write, and where. */
export interface ExportInput {
  readonly site: SiteContext;
  readonly picked: Picked;
  /** Absolute path of the file or folder. */
  readonly out: string;
  /** Only pages at or below this route; null: all. */
  readonly below: string | null;
  readonly includesDrafts: boolean;
  /** Called after each page. */
  tick(): void;
}
/** The part of the report that a format fills in. */
export type Written = Pick<ExportReport, "pages" | "media" | "records" | "redirects" | "notes">;
/** A format of exports. */
export interface ExportFormat {
  readonly kind: "file" | "folder";
  write(input: ExportInput): Promise<Written>;
}
