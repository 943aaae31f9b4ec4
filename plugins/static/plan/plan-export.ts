import type { SiteContext } from "#kernel";
import type { ContentView, TreeState } from "../../content/contract.js";
import { basisOf, isSameButThemes, Freshness, changedFacts, siteFacts } from "./freshness.js";
import type { LeftOut } from "../contract.js";
import { readManifest, type Manifest } from "../commit/manifest.js";
import { mediaCopies, staticCopies, type Copy } from "../make/media-copies.js";
import { siteUrls } from "./site-urls.js";

/** The planned contents of an export, and which of them are up to date. */
export interface ExportPlan {
  before: Manifest | null;
  /** True when the manifest is damaged, so that files of the last export cannot be identified. */
  isDamaged: boolean;
  basis: string;
  tree: TreeState;
  facts: Readonly<Record<string, string>>;
  freshness: Freshness;
  view: ContentView;
  urls: ReadonlySet<string>;
  gated: number;
  leftOut: LeftOut[];
  copies: Copy[];
  /** Addresses whose responses depend on more than their tags. */
  untracked: ReadonlySet<string>;
}

/** Options of a plan. */
interface PlanOptions {
  /** Folder of the export; absolute. */
  readonly out: string;
  readonly includesDrafts: boolean;
  /** True: ignores the last export and renders everything. */
  readonly isFresh: boolean;
}

/** Reads the site and the last export. */
export async function planExport(
  site: SiteContext,
  { out, includesDrafts, isFresh }: PlanOptions,
): Promise<ExportPlan> {
  const content = site.use("content");
  const { entries } = content.generation();
  const view = content.view({ roles: null, seesUnpublished: includesDrafts, onlyOpen: true });
  const found = await readManifest(out);
  const before = found === "damaged" ? null : found;
  const basis = isFresh ? `${Date.now()}` : basisOf(site, { includesDrafts });
  const isKnown = before !== null && isSameButThemes(before.basis, basis);
  const tree = content.treeState(isKnown ? before.tree : undefined);
  const { facts, media } = await siteFacts(site);
  const freshness = new Freshness({
    out,
    now: site.runtime.clock.now(),
    basis,
    before,
    changes:
      before === null
        ? []
        : [...content.changedTags(before.tree, tree), ...changedFacts(before.facts, facts)],
  });
  return {
    before,
    basis,
    tree,
    facts,
    freshness,
    view,
    isDamaged: found === "damaged",
    ...(await siteUrls(site, view)),
    copies: [...(await mediaCopies(site, view, media)), ...(await staticCopies(site))],
    // MDX, TSX and formats of plugins run code, which may read anything.
    untracked: new Set(entries.flatMap(({ format, url }) => (format === "md" ? [] : [url]))),
  };
}
