/** Writes the order and the groups of the source as `sidebar.yaml`, which the preset `docs` reads. */
import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { atomicWrite, type SiteContext } from "#kernel";
import { errorCode } from "#lib/errors";
import { formatYaml } from "#lib/yaml";
import type { ImportedSidebar, Origin, SidebarPlace } from "../contract.js";
import { findLanguage, type PlannedPage } from "../plan/places.js";
import { encodedPath } from "../plan/address-key.js";
import type { Plan } from "../plan/plan.js";
import type { Tally } from "./tally.js";

const FILE = "sidebar.yaml";
const MAX_DEPTH = 20;
const URL_PATTERN = /^(?:https?:\/\/|\/(?!\/)|#)/;
/** Files that stand for their folder. */
const INDEX = /^(?:_?index|readme|_category_)\.[a-z]+$/i;

/** An entry of `sidebar.yaml`, as the plugin `render` reads it. */
interface SidebarEntry {
  readonly title?: string | Readonly<Record<string, string>>;
  readonly page?: string;
  readonly url?: string;
  readonly items?: readonly SidebarEntry[];
}
/** What writing needs. */
interface SidebarContext {
  readonly site: SiteContext;
  readonly plan: Plan;
  readonly tally: Tally;
  readonly dryRun: boolean;
}

/** Writes `sidebar.yaml`, unless the site has one. */
export async function writeSidebar(
  { origin, items }: ImportedSidebar,
  context: SidebarContext,
): Promise<void> {
  const { site, tally, dryRun } = context;
  const entries = new SidebarEntries(origin, context).of(items);
  if (entries.length === 0)
    return tally.note(origin, "none of its entries leads to an imported page");
  const path = join(site.paths.root, FILE);
  const text = `# From ${origin.file}\n${formatYaml(entries)}`;
  const existing = await readText(path);
  if (existing === text) tally.sidebar.unchanged += 1;
  else if (existing !== null) {
    const reason = `order and groups of the sidebar: ${FILE} exists with another text, which stays`;
    tally.skip("sidebar", origin, reason);
  } else {
    if (!dryRun) await atomicWrite(path, text, { access: "shared" });
    tally.sidebar.created += 1;
  }
}

async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

/** Finds the pages of the places. */
class SidebarEntries {
  readonly #plan: Plan;
  readonly #tally: Tally;
  readonly #origin: Origin;
  readonly #languages: { readonly default: string; readonly supported: readonly string[] };
  /** Pages that an entry names. */
  readonly #named = new Set<PlannedPage>();

  constructor(origin: Origin, { site, plan, tally }: SidebarContext) {
    this.#plan = plan;
    this.#tally = tally;
    this.#origin = origin;
    this.#languages = site.settings.system.languages;
  }

  of(places: readonly SidebarPlace[]): SidebarEntry[] {
    this.#nameAll(places, 0);
    return this.#entries(places, 0);
  }

  #nameAll(places: readonly SidebarPlace[], depth: number): void {
    for (const { page = [], items = [] } of depth < MAX_DEPTH ? places : []) {
      const found = this.#find(page);
      if (found !== undefined) this.#named.add(found);
      this.#nameAll(items, depth + 1);
    }
  }

  #find(names: readonly string[]): PlannedPage | undefined {
    const { basePath } = this.#plan;
    for (const name of names) {
      const key = this.#plan.toKey(name);
      const isBelow = basePath !== "" && `${key}/`.startsWith(`${basePath}/`);
      const page =
        this.#plan.page(key) ??
        (isBelow ? this.#plan.page(key.slice(basePath.length) || "/") : undefined);
      if (page !== undefined && page.leftOut === null) return page;
    }
    return undefined;
  }

  #entries(places: readonly SidebarPlace[], depth: number): SidebarEntry[] {
    return depth > MAX_DEPTH ? [] : places.flatMap((place) => this.#entry(place, depth));
  }

  #entry(place: SidebarPlace, depth: number): SidebarEntry[] {
    const { page: names = [], url, folder, isRest = false } = place;
    if (folder !== undefined) return this.#folder(folder, isRest);
    const inner = this.#entries(place.items ?? [], depth + 1);
    const items = inner.length === 0 ? {} : { items: inner };
    const title = this.#title(place);
    const found = this.#find(url === undefined ? names : [...names, url]);
    if (found !== undefined) return [{ ...title, page: found.route, ...items }];
    const address = this.#address(place);
    if (place.title === undefined) return inner;
    if (address !== null) return [{ ...title, url: address, ...items }];
    return inner.length === 0 ? [] : [{ ...title, ...items }];
  }

  /** The address of an entry without a page; null for a group. Reports one that leads nowhere. */
  #address({ title, page: [first] = [], url }: SidebarPlace): string | null {
    const shown = JSON.stringify(title ?? first ?? "");
    if (first !== undefined) this.#note(`the entry ${shown} leads to no page that was imported`);
    if (url === undefined) return null;
    const lost = this.#plan.lost(this.#plan.toKey(url));
    if (lost !== undefined) {
      this.#note(`the entry ${shown} led to ${JSON.stringify(url)}, which stays behind: ${lost}`);
      return null;
    }
    if (URL_PATTERN.test(url)) return url.startsWith("/") ? encodedPath(url) : url;
    this.#note(`the entry ${shown} leads to ${JSON.stringify(url)}, which is no address of a page`);
    return null;
  }

  #note(problem: string): void {
    this.#tally.note(this.#origin, `sidebar: ${problem}`);
  }

  /** A text, or texts by the languages of the site. */
  #title({ title, titles = {} }: SidebarPlace): Pick<SidebarEntry, "title"> {
    if (title === undefined) return {};
    const { default: main, supported } = this.#languages;
    const texts = { [main]: title };
    for (const [code, text] of Object.entries(titles)) {
      const lang = findLanguage(code, supported);
      if (lang !== null && lang !== main) texts[lang] = text;
    }
    return { title: Object.keys(texts).length === 1 ? title : texts };
  }

  /** The pages of a folder of the source as a tree, by position and name. */
  #folder(folder: string, isRest: boolean): SidebarEntry[] {
    const prefix = folder === "" ? "" : `${folder}/`;
    const top = new FolderNode("");
    for (const page of this.#plan.pages) {
      const { file } = page.origin;
      if (page.translation !== null || page.leftOut !== null || !file.startsWith(prefix)) continue;
      if (isRest && this.#named.has(page)) continue;
      top.add(file.slice(prefix.length).split("/"), page, true);
    }
    return top.entries();
  }
}

/** A folder of pages. */
class FolderNode {
  readonly #name: string;
  readonly #folders = new Map<string, FolderNode>();
  readonly #pages: { readonly name: string; readonly page: PlannedPage }[] = [];
  #index: PlannedPage | null = null;

  constructor(name: string) {
    this.#name = name;
  }

  /** Adds a page; `isTop`: the index of the folder is one of its pages. */
  add([name = "", ...rest]: readonly string[], page: PlannedPage, isTop: boolean): void {
    if (rest.length > 0) {
      const below = this.#folders.get(name) ?? new FolderNode(name);
      this.#folders.set(name, below);
      below.add(rest, page, false);
    } else if (!isTop && (INDEX.test(name) || stem(name) === this.#name)) this.#index ??= page;
    else if (!name.startsWith("_category_.")) this.#pages.push({ name, page });
  }

  entries(): SidebarEntry[] {
    const items = [
      ...this.#pages.map(({ name, page }) => ({
        name: INDEX.test(name) ? "" : name,
        position: page.position,
        entry: { page: page.route } satisfies SidebarEntry,
      })),
      ...[...this.#folders].map(([name, folder]) => ({
        name,
        position: folder.#index?.position ?? null,
        entry: folder.#entry(),
      })),
    ];
    const rank = (position: number | null): number => position ?? Infinity;
    return items
      .toSorted((a, b) => {
        const [one, two] = [rank(a.position), rank(b.position)];
        return one === two ? a.name.localeCompare(b.name, "en", { numeric: true }) : one - two;
      })
      .map(({ entry }) => entry);
  }

  #entry(): SidebarEntry {
    const items = this.entries();
    if (this.#index === null) return { title: toTitle(this.#name), items };
    return { page: this.#index.route, ...(items.length > 0 && { items }) };
  }
}

function stem(name: string): string {
  return posix.basename(name).replace(/\.[a-z]+$/i, "");
}

function toTitle(name: string): string {
  const words = name.replace(/^\d+[-_. ]+/, "").replaceAll(/[-_]+/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
