/** The first reading of a source: which pages and files there are, and where each of them goes. */
import type {
  ImportedMedia,
  ImportedPage,
  ImportedRedirect,
  ImportedSite,
  ImportItem,
  ImportSource,
  NotImported,
  Origin,
  SourceInput,
} from "../contract.js";
import {
  toFolder,
  type PlannedMedia,
  type PlannedPage,
  PagePlaces,
  type SiteTree,
  MediaPlaces,
  placeTranslations,
} from "./places.js";
import { addressKey, anchorKey, isHostOf } from "./address-key.js";

/** The number of items of each kind in the source. */
interface ItemCounts {
  pages: number;
  media: number;
  accounts: number;
  records: number;
}

/** The pages and files of the whole source, with their places. */
export class Plan {
  readonly pages: PlannedPage[] = [];
  readonly media: PlannedMedia[] = [];
  readonly hosts = new Set<string>();
  /** The path below which the old site answered; empty for the root of its host. */
  basePath = "";
  readonly counts: ItemCounts = { pages: 0, media: 0, accounts: 0, records: 0 };
  readonly #pageKeys = new Map<string, PlannedPage>();
  /** The keys in lower case: most systems and hosts find an address in any case. */
  readonly #foldedKeys = new Map<string, PlannedPage>();
  /** Language and folder to page. */
  readonly #translations = new Map<string, PlannedPage>();
  readonly #mediaKeys = new Map<string, PlannedMedia>();
  /** Downloads by their keys: each is placed when a page first links to it. */
  readonly #downloads = new Map<string, PlannedMedia>();
  readonly #mediaHosts = new Set<string>();
  /** Key of an old list or feed to its address in the new site. */
  readonly #lists = new Map<string, string>();
  /** Key of an old address to its target; the keys of `below` are folders, whose addresses all lead there. */
  readonly #redirects = { exact: new Map<string, string>(), below: new Map<string, string>() };
  /** Facts about the old site. */
  site: ImportedSite = { kind: "site", hosts: [] };
  /** Key of what stays behind to the reason. */
  readonly #lost = new Map<string, string>();
  readonly #left: NotImported[] = [];
  readonly #places = new MediaPlaces();

  readonly #tree: SiteTree;

  constructor(tree: SiteTree) {
    this.#tree = tree;
  }

  /** True for a file that the site makes itself, such as `/sitemap.xml` and `/llms.txt`. */
  isMadeHere(key: string): boolean {
    return this.#tree.makesFile(key);
  }

  /** Reads the whole source. @throws ERR_IMPORT_SOURCE, before anything is written. */
  static async of(source: ImportSource, input: SourceInput, tree: SiteTree): Promise<Plan> {
    const plan = new Plan(tree);
    for await (const item of source.items(input)) plan.#add(item, tree);
    plan.#placePages(tree);
    for (const file of plan.media) plan.#placeMedia(file);
    for (const { addresses = [], reason, route } of plan.#left) {
      if (route !== undefined && plan.#isHere(route, tree)) plan.#lead(addresses, route);
      else plan.#lose(addresses, reason);
    }
    return plan;
  }

  /** The page of a key; of keys that differ only in upper and lower case, the same one is first. */
  page(key: string): PlannedPage | undefined {
    return this.#pageKeys.get(key) ?? this.#foldedKeys.get(key.toLowerCase());
  }

  /** The page, or its translation into a language that the source has. */
  inLanguage(page: PlannedPage, lang: string | null): PlannedPage {
    if (lang === null || page.lang !== null) return page;
    return this.#translations.get(`${lang} ${toFolder(page)}`) ?? page;
  }

  /** The file of a key; a download is placed, and taken along from then on. */
  file(key: string): PlannedMedia | undefined {
    const file = this.#mediaKeys.get(key);
    const download = file === undefined ? this.#downloads.get(key) : undefined;
    if (download === undefined || download.path !== "") return file ?? download;
    this.media.push(download);
    this.#placeMedia(download);
    return download;
  }

  /** The downloads that nothing has linked to so far: why each stays behind. */
  unused(): NotImported[] {
    return [...new Set(this.#downloads.values())].flatMap(({ unlessUsed, path }) =>
      path === "" && unlessUsed !== null ? [unlessUsed] : [],
    );
  }

  /** The address in the new site of an old list or feed; undefined for anything else. */
  list(key: string): string | undefined {
    return this.#lists.get(key);
  }

  /** The target of a redirect of the old site, as the source has it; undefined for any other address. */
  redirected(key: string): string | undefined {
    const exact = this.#redirects.exact.get(key);
    if (exact !== undefined || !key.startsWith("/")) return exact;
    for (let folder = key; folder !== ""; folder = folder.slice(0, folder.lastIndexOf("/"))) {
      const to = this.#redirects.below.get(folder);
      if (to !== undefined) return to.replaceAll(":splat", () => key.slice(folder.length + 1));
    }
    return undefined;
  }

  /** Why something of the source that a link calls by this key stays behind; undefined for anything else. */
  lost(key: string): string | undefined {
    return this.#lost.get(key);
  }

  /** True for a path on the old host that is one of the old site. */
  isOwnPath(path: string): boolean {
    return this.basePath === "" || `${path}/`.startsWith(`${this.basePath}/`);
  }

  /** True for a host from which files of the old site come. */
  isMediaHost(host: string): boolean {
    return isHostOf(host, this.hosts) || this.#mediaHosts.has(host.toLowerCase());
  }

  /** Adds a file that a page shows and no item has named. */
  discover(url: string, name: string, origin: Origin, folder: string): PlannedMedia {
    const file: PlannedMedia = {
      origin,
      from: { url },
      addresses: [url],
      meta: null,
      name,
      folder,
      owner: null,
      path: "",
      unlessUsed: null,
    };
    this.media.push(file);
    this.#placeMedia(file);
    return file;
  }

  #add(item: ImportItem, tree: SiteTree): void {
    if (item.kind === "site") this.#addSite(item);
    else if (item.kind === "page") this.#addPage(item);
    else if (item.kind === "media") this.#addMedia(item);
    else if (item.kind === "redirect" && item.target !== undefined) {
      if (tree.makes(item.target, item.to)) this.#lists.set(this.toKey(item.from), item.to);
    } else if (item.kind === "redirect") this.#addRedirect(item);
    else if (item.kind === "notImported") this.#left.push(item);
    else if (item.kind === "account") this.counts.accounts += 1;
    else if (item.kind === "record") this.counts.records += 1;
  }

  #addRedirect({ from, to }: ImportedRedirect): void {
    const isBelow = from.endsWith("/*");
    const keys = this.#redirects[isBelow ? "below" : "exact"];
    const key = this.toKey(isBelow ? from.slice(0, -2) : from);
    if (!keys.has(key)) keys.set(key, to);
  }

  #addSite(site: ImportedSite): void {
    const { hosts, basePath = "" } = site;
    this.site = site;
    for (const host of hosts) this.hosts.add(host.toLowerCase());
    this.basePath = basePath.replace(/(?<!\/)\/+$/, "").replace(/^(?=[^/])/, "/");
  }

  #addPage(page: ImportedPage): void {
    const { origin, route, template, position, addresses, isOptional, path, translation } = page;
    const { titleAnchor = "" } = page;
    this.counts.pages += 1;
    this.pages.push({
      origin,
      route,
      template,
      position,
      addresses,
      translation: translation ?? null,
      isOptional: isOptional === true,
      titleAnchor: anchorKey(titleAnchor) || null,
      wantedPath: path ?? null,
      path: "",
      takenBy: null,
      wantedRoute: route,
      slug: null,
      lang: null,
      leftOut: null,
    });
  }

  /** Places pages of the main language, then the translations beside them. */
  #placePages(tree: SiteTree): void {
    const places = new PagePlaces(tree);
    const main = this.pages.filter(({ translation }) => translation === null);
    places.place(main);
    for (const page of main) this.#index(page);
    const translations = this.pages.filter(({ translation }) => translation !== null);
    placeTranslations(translations, { tree, places, mainOf: (key) => this.page(key) });
    for (const page of translations) {
      if (page.leftOut === null) this.#index(page);
      else this.#lose(page.addresses, page.leftOut);
      this.#translations.set(`${page.lang} ${toFolder(page)}`, page);
    }
  }

  #addMedia(media: ImportedMedia): void {
    const { origin, from, addresses, meta, name, folder, owner, unlessUsed } = media;
    if ("url" in from && URL.canParse(from.url)) this.#mediaHosts.add(new URL(from.url).hostname);
    const file: PlannedMedia = {
      origin,
      from,
      addresses,
      meta: meta ?? null,
      name,
      folder,
      owner,
      path: "",
      unlessUsed: unlessUsed ?? null,
    };
    if (unlessUsed !== undefined) {
      for (const address of addresses) this.#downloads.set(this.toKey(address), file);
      return;
    }
    this.counts.media += 1;
    this.media.push(file);
  }

  #isHere(route: string, tree: SiteTree): boolean {
    return this.page(this.toKey(route)) !== undefined || tree.at(route) !== undefined;
  }

  /** Lets names of the source lead to a page of the site. */
  #lead(addresses: readonly string[], route: string): void {
    const to = this.page(this.toKey(route))?.route ?? route;
    for (const address of addresses) {
      const key = this.toKey(address);
      if (!this.#lists.has(key)) this.#lists.set(key, to);
    }
  }

  #lose(addresses: readonly string[], reason: string): void {
    for (const address of addresses) {
      const key = this.toKey(address);
      if (!this.#lost.has(key)) this.#lost.set(key, reason);
    }
  }

  #index(page: PlannedPage): void {
    for (const address of page.addresses) {
      const key = this.toKey(address);
      if (!this.#pageKeys.has(key)) this.#pageKeys.set(key, page);
      const folded = key.toLowerCase();
      if (!this.#foldedKeys.has(folded)) this.#foldedKeys.set(folded, page);
    }
  }

  #placeMedia(file: PlannedMedia): void {
    const owner = file.owner === null ? undefined : this.page(this.toKey(file.owner));
    file.path = this.#places.take(owner === undefined ? file.folder : toFolder(owner), file.name);
    for (const address of file.addresses) {
      const key = this.toKey(address);
      if (!this.#mediaKeys.has(key)) this.#mediaKeys.set(key, file);
    }
  }

  /** The key of an address; names with a prefix such as `file:` are keys already. */
  toKey(address: string): string {
    return addressKey(address, this.hosts) ?? address;
  }
}
