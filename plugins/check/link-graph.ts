/** Links between pages: scanned once per version of a page, resolved once per generation. */
import type { SiteContext } from "#kernel";
import type { ContentService, Generation, PageEntry } from "../content/contract.js";
import type {} from "../markdown/contract.js";
import { ReferenceTargets, type Resolved } from "./resolve-reference.js";
import { scanReferences, type ScannedReference } from "./scan-references.js";

/** A reference and its target. */
export interface Link {
  readonly from: PageEntry;
  readonly scanned: ScannedReference;
  readonly resolved: Resolved;
}
/** All links of one generation. */
export interface Links {
  readonly generation: Generation;
  readonly all: readonly Link[];
  /** By target page. */
  readonly to: ReadonlyMap<string, readonly Link[]>;
  /** By linking page. */
  readonly from: ReadonlyMap<string, readonly Link[]>;
  /** Resolves an address in the HTML of a page. */
  follow(from: PageEntry, href: string): Promise<Resolved>;
}

/** The links of a site; after a change only the changed pages are scanned. */
export class LinkGraph {
  readonly #content: ContentService;
  readonly #isForeign: (path: string) => boolean;
  // Not in site.cache: references go with their entry, which is the same object until its file changes.
  readonly #scanned = new WeakMap<PageEntry, readonly ScannedReference[]>();
  #links: Promise<Links> | null = null;
  #generation: Generation | null = null;

  constructor(content: ContentService, isForeign: (path: string) => boolean) {
    this.#content = content;
    this.#isForeign = isForeign;
  }

  /** The current links. */
  async links(): Promise<Links> {
    const generation = this.#content.generation();
    if (this.#links !== null && this.#generation === generation) return this.#links;
    this.#generation = generation;
    const links = this.#build(generation);
    this.#links = links;
    // A failure is not cached; the next call tries again.
    links.catch(() => {
      if (this.#links === links) this.#links = null;
    });
    return links;
  }

  async #build(generation: Generation): Promise<Links> {
    const content = this.#content;
    const view = content.viewAll();
    const context = { content, generation, view, isForeign: this.#isForeign };
    const targets = new ReferenceTargets(context);
    const all: Link[] = [];
    for (const entry of generation.entries) {
      for (const scanned of await this.#scan(entry)) {
        all.push({ from: entry, scanned, resolved: await targets.resolve(entry, scanned.target) });
      }
    }
    const to = grouped(all, ({ resolved }) =>
      resolved.kind === "page" ? resolved.entry.sourcePath : null,
    );
    return {
      generation,
      all,
      to,
      from: grouped(all, ({ from }) => from.sourcePath),
      follow: (from, href) => targets.follow(from, href),
    };
  }

  async #scan(entry: PageEntry): Promise<readonly ScannedReference[]> {
    if (entry.format !== "md" && entry.format !== "mdx") return [];
    const cached = this.#scanned.get(entry);
    if (cached !== undefined) return cached;
    // Without the media of its folder, whose listing takes longer than the scan.
    const version = this.#content.version(entry);
    const page = version ?? (await this.#content.source(entry.sourcePath));
    if (page === null) return [];
    const references = scanReferences(page.raw, page.raw.length - page.body.length);
    if (version !== null) this.#scanned.set(entry, references);
    return references;
  }
}

function grouped(
  links: readonly Link[],
  keyOf: (link: Link) => string | null,
): Map<string, Link[]> {
  const groups = new Map<string, Link[]>();
  for (const link of links) {
    const key = keyOf(link);
    if (key === null) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [link]);
    else group.push(link);
  }
  return groups;
}

/**
 * The links, with the pages that loose ones lead to: links that only the renderer resolves, such as in other
 * letters, or without a date or number. A move rewrites them as paths of files.
 */
export async function withLooseLinks(site: Pick<SiteContext, "use">, links: Links): Promise<Links> {
  const from = new Map<string, readonly Link[]>();
  for (const [path, pageLinks] of links.from)
    from.set(path, await resolveLoosely(site, links, pageLinks));
  return { ...links, from };
}

async function resolveLoosely(
  site: Pick<SiteContext, "use">,
  links: Links,
  pageLinks: readonly Link[],
): Promise<readonly Link[]> {
  const markdown = site.use("markdown", { optional: true });
  const loose = pageLinks.filter(({ resolved }) => resolved.kind === "broken");
  const [first] = loose;
  if (markdown === undefined || first === undefined) return pageLinks;
  const targets = loose.map(({ scanned }) => scanned.target);
  const hrefs = await markdown.hrefs(first.from, targets);
  const loosely = new Map<Link, Resolved>();
  for (const [at, link] of loose.entries()) {
    const href = hrefs[at] ?? link.scanned.target;
    if (href === link.scanned.target) continue;
    const resolved = await links.follow(link.from, href);
    if (resolved.kind !== "page") continue;
    const { entry } = resolved;
    const suffix = readSuffix(link.scanned.target);
    loosely.set(link, { kind: "page", style: "loose", entry, path: entry.sourcePath, suffix });
  }
  return pageLinks.map((link) => ({ ...link, resolved: loosely.get(link) ?? link.resolved }));
}

/** Query and fragment, as written. */
function readSuffix(target: string): string {
  const written = target.trim();
  const start = written.search(/[?#]/);
  return start === -1 ? "" : written.slice(start);
}
