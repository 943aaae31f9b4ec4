import { readFileSync, statSync, readdirSync } from "node:fs";
import { createHash, type Hash } from "node:crypto";
import { join, posix } from "node:path";
import type { SiteContext } from "#kernel";
import { readPackage } from "#lib/packages";
import type { ContentView, TreeState, PageEntry } from "../../content/contract.js";
import type { LeftOut } from "../contract.js";
import { readManifest, type Manifest, type Output } from "../commit/manifest.js";
import { mediaCopies, staticCopies, type Copy, type MediaFile } from "../make/media-copies.js";
import { siteUrls } from "./site-urls.js";
import { digest } from "../make/page-exporter.js";
import type {} from "../../render/contract.js";
import type {} from "../../flex/contract.js";

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
  const manifest = await readManifest(out);
  const before = manifest === "damaged" ? null : manifest;
  const basis = isFresh ? `${Date.now()}` : digestBasis(site, { includesDrafts });
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
    isDamaged: manifest === "damaged",
    ...(await siteUrls(site, view)),
    copies: [...(await mediaCopies(site, view, media)), ...(await staticCopies(site))],
    // MDX, TSX and formats of plugins run code, which may read anything.
    untracked: new Set(entries.flatMap(({ format, url }) => (format === "md" ? [] : [url]))),
  };
}

/** Tags that the basis covers: when it changes, everything is rendered again. */
const OF_THE_BASIS: ReadonlySet<string> = new Set([
  "config",
  "theme",
  "nav",
  "list",
  "modified",
  "taxonomy",
  "blueprints",
]);
const TRACKED = /^(?:page|media|route|list|flex):/;

/** The last export, and how the site differs from it. */
interface FreshnessInput {
  /** Folder of the export; absolute. */
  readonly out: string;
  /** Unix ms. */
  readonly now: number;
  /** Digest of all inputs besides the content. */
  readonly basis: string;
  readonly before: Manifest | null;
  /** Tags that became invalid since the last export. */
  readonly changes: Iterable<string>;
}

/** Decides which files of the last export are still up to date. */
export class Freshness {
  readonly #out: string;
  readonly #now: number;
  readonly #stale: ReadonlySet<string>;
  readonly #isUsable: boolean;
  readonly #isUsableText: boolean;

  constructor({ out, now, basis, before, changes }: FreshnessInput) {
    this.#out = out;
    this.#now = now;
    this.#isUsable = before !== null && before.basis === basis;
    this.#isUsableText = before !== null && isSameButThemes(before.basis, basis);
    this.#stale = new Set(changes);
  }

  /** True when some content has changed since the last export. */
  get hasChanges(): boolean {
    return !this.#isUsable || this.#stale.size > 0;
  }

  /** True when a response with these tags is still valid and its file is unmodified. */
  isFresh(file: string, output: Output): boolean {
    return this.#isUsable && this.#isStillTrue(file, output);
  }

  /** The same for a file that does not depend on the theme. */
  isFreshText(file: string, output: Output): boolean {
    return this.#isUsableText && this.#isStillTrue(file, output);
  }

  #isStillTrue(file: string, output: Output): boolean {
    const { reads, expiresAt } = output;
    if (reads === null) return false;
    if (expiresAt !== null && expiresAt <= this.#now) return false;
    if (!reads.every((tag) => this.#isTrue(tag))) return false;
    return this.isOnDisk(file, output);
  }

  /** True when the file is unmodified; if its time differs, its bytes are compared. */
  isOnDisk(file: string, { size, mtimeMs, hash }: Output): boolean {
    const path = `${this.#out}/${file}`;
    try {
      const stats = statSync(path, { throwIfNoEntry: false });
      if (stats?.isFile() !== true || stats.size !== size) return false;
      return stats.mtimeMs === mtimeMs || (hash !== "" && digest(readFileSync(path)) === hash);
    } catch {
      // Unreadable files are written again.
      return false;
    }
  }

  /** A tag that is not tracked between exports counts as changed. */
  #isTrue(tag: string): boolean {
    if (this.#stale.has(tag)) return false;
    return OF_THE_BASIS.has(tag) || TRACKED.test(tag);
  }
}

/**
 * Digest of all inputs of pages except the content: settings, themes, page types, the site's own
 * plugins, versions, export options. When it changes, every page is rendered again. The part before the dot
 * covers everything but the themes.
 */
function digestBasis(site: SiteContext, options: Readonly<Record<string, unknown>>): string {
  const hash = createHash("sha1");
  const themes = createHash("sha1");
  const { settings, paths } = site;
  const plugins = site.runtime.plugins().map(({ name, version, state }) => [name, version, state]);
  const configuration = { site: settings.site, system: settings.system, plugins, options };
  hash.update(JSON.stringify([readPackage().version, configuration]));
  for (const { folder } of site.use("render").themes) addFolder(themes, folder);
  for (const folder of ["plugins", "migrations", "blueprints"])
    addFolder(hash, join(paths.root, folder));
  return `${hash.digest("base64url")}.${themes.digest("base64url")}`;
}

/** True when only the themes differ. */
function isSameButThemes(one: string, other: string): boolean {
  return one.split(".", 1)[0] === other.split(".", 1)[0];
}

/** Names and bytes of the files below a folder. */
function addFolder(hash: Hash, folder: string): void {
  for (const entry of filesBelow(folder)) {
    hash
      .update(`${entry.slice(folder.length)}\0`)
      .update(readFileSync(entry))
      .update("\0");
  }
}

function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
  } catch {
    return [];
  }
}

/** Inputs besides pages: media by folder and records by type. */
interface SiteFacts {
  /** Tag to digest. */
  facts: Record<string, string>;
  media: MediaFile[];
}

/** Reads all inputs besides pages. */
async function siteFacts(site: SiteContext): Promise<SiteFacts> {
  const facts: SiteFacts = { facts: {}, media: [] };
  const content = site.use("content");
  const folders = listFolders(content.generation().entries);
  for (const folder of content.mediaFolders()) {
    if (!folders.has(folder)) continue;
    const items = await content.media(folder);
    if (items.length === 0) continue;
    facts.facts[`media:${folder}`] = shortDigest(items);
    for (const item of items) facts.media.push({ folder, item });
  }
  await addRecords(site, facts.facts);
  return facts;
}

/** Tags that were added, removed or changed. */
function changedFacts(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): string[] {
  const tags = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...tags].filter((tag) => before[tag] !== after[tag]);
}

/** Every folder on the way to a page. */
function listFolders(entries: readonly PageEntry[]): Set<string> {
  const folders = new Set<string>();
  for (const entry of entries) {
    let { folder } = entry;
    for (; folder !== "." && !folders.has(folder); folder = posix.dirname(folder)) {
      folders.add(folder);
    }
  }
  return folders.add("");
}

async function addRecords(site: SiteContext, facts: Record<string, string>): Promise<void> {
  const flex = site.use("flex", { optional: true });
  for (const type of flex?.types() ?? []) {
    facts[`flex:${type.name}`] = shortDigest([type, await flex?.all(type.name)]);
  }
}

function shortDigest(value: unknown): string {
  return createHash("sha1").update(JSON.stringify(value)).digest("base64url").slice(0, 16);
}
