/** Links that resolve to nothing in the rendered page, and fragments without an anchor. */
import { decodeAddress } from "#lib/urls";
import type { SiteContext } from "#kernel";
import { nearest } from "#lib/values";
import type { PageEntry } from "../content/contract.js";
import type { MarkdownService } from "../markdown/contract.js";
import type { CheckProblem } from "./errors.js";
import type { Link, Links } from "./link-graph.js";
import type { Resolved } from "./resolve-reference.js";

type PageLinks = readonly Link[];

// The prefix of sanitised ids (markdown: sanitize-schema.ts).
const ID_PREFIX = "user-content-";
const MAX_SHOWN = 200;

/** Broken links and anchors of every page; `onPage` is called for each page with links. */
export async function brokenLinks(
  site: SiteContext,
  links: Links,
  onPage: () => void = () => undefined,
): Promise<CheckProblem[]> {
  const markdown = site.use("markdown", { optional: true });
  const problems: CheckProblem[] = [];
  if (markdown === undefined) {
    for (const link of links.all)
      if (link.resolved.kind === "broken") problems.push(toBroken(link));
    return problems;
  }
  const checker = new LinkChecker(site, markdown, links);
  for (const pageLinks of links.from.values()) {
    problems.push(...(await checker.findProblems(pageLinks)));
    onPage();
  }
  return problems;
}

class LinkChecker {
  readonly #site: SiteContext;
  readonly #markdown: MarkdownService;
  readonly #links: Links;
  readonly #anchors = new Map<string, Promise<ReadonlySet<string> | null>>();
  readonly #certain = new Map<string, ReadonlySet<string>>();

  constructor(site: SiteContext, markdown: MarkdownService, links: Links) {
    this.#site = site;
    this.#markdown = markdown;
    this.#links = links;
  }

  /** The problems of one page: checks the addresses in its HTML. */
  async findProblems(pageLinks: PageLinks): Promise<CheckProblem[]> {
    const from = pageLinks[0]?.from;
    if (from === undefined) return [];
    const targets = pageLinks.map(({ scanned }) => scanned.target);
    const hrefs = await this.#markdown.hrefs(from, targets);
    const problems: CheckProblem[] = [];
    for (const [at, link] of pageLinks.entries()) {
      const href = hrefs[at] ?? link.scanned.target;
      const served = await this.#links.follow(from, href);
      if (served.kind === "broken") problems.push(toBroken(link, href));
      const anchor = await this.#brokenAnchor(link, href, served);
      if (anchor !== null) problems.push(anchor);
    }
    return problems;
  }

  async #brokenAnchor(link: Link, href: string, served: Resolved): Promise<CheckProblem | null> {
    const fragment = parseFragment(href);
    const isOwn = href.startsWith("#");
    const entry = isOwn ? link.from : served.kind === "page" ? served.entry : null;
    if (fragment === "" || entry === null) return null;
    if (this.#isCertain(entry, fragment)) return null;
    const anchors = await this.#anchorsOf(entry);
    if (anchors === null || anchors.has(fragment)) return null;
    // Within a page the renderer adds the prefix to fragments of known ids.
    if (isOwn && anchors.has(ID_PREFIX + fragment)) return null;
    const { sourcePath } = link.from;
    const near = nearest(fragment, [...anchors].map(withoutPrefix));
    const hint = near === null ? "" : `; did you mean ${JSON.stringify(`#${near}`)}?`;
    const message = `${shown(link.scanned.target)} is not an anchor of ${entry.sourcePath}${hint}`;
    const { line } = link.scanned;
    return { sourcePath, severity: "warning", code: "ERR_CHECK_ANCHOR", message, line };
  }

  /** True for an anchor that is found without rendering, which takes 30 to 300 ms for each page. */
  #isCertain(entry: PageEntry, fragment: string): boolean {
    const { sourcePath } = entry;
    const cached = this.#certain.get(sourcePath);
    if (cached !== undefined) return cached.has(fragment);
    const version = this.#site.use("content").version(entry);
    const anchors =
      version === null
        ? new Set<string>()
        : this.#markdown.certainAnchors({ entry, body: version.body });
    this.#certain.set(sourcePath, anchors);
    return anchors.has(fragment);
  }

  /** Ids and names in a page's HTML; null for pages that are programs. */
  #anchorsOf(entry: PageEntry): Promise<ReadonlySet<string> | null> {
    const cached = this.#anchors.get(entry.sourcePath);
    if (cached !== undefined) return cached;
    const pending = this.#readAnchors(entry);
    this.#anchors.set(entry.sourcePath, pending);
    return pending;
  }

  async #readAnchors({ format, sourcePath }: PageEntry): Promise<ReadonlySet<string> | null> {
    if (format !== "md" && format !== "mdx") return null;
    const page = await this.#site.use("content").source(sourcePath);
    if (page === null) return null;
    const { html } = await this.#markdown.render(page, {}, "structure");
    return new Set([...html.matchAll(/\s(?:id|name)="([^"]*)"/g)].map(([, id = ""]) => plain(id)));
  }
}

function toBroken({ from, scanned }: Link, href = scanned.target): CheckProblem {
  const address =
    decodeAddress(href) === decodeAddress(scanned.target) ? "" : ` (its address is ${shown(href)})`;
  return {
    sourcePath: from.sourcePath,
    severity: "error",
    code: "ERR_CHECK_LINK",
    message: `${shown(scanned.target)} does not exist on this site${address}`,
    line: scanned.line,
  };
}

/** Decoded; empty for targets on every page: none, `#`, `#top`, the anchors of themes, text fragments. */
function parseFragment(href: string): string {
  const mark = href.indexOf("#");
  const fragment = mark === -1 ? "" : decodeAddress(href.slice(mark + 1));
  return fragment.startsWith(":") || fragment.toLowerCase() === "top" ? "" : fragment;
}

function withoutPrefix(id: string): string {
  return id.startsWith(ID_PREFIX) ? id.slice(ID_PREFIX.length) : id;
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, MAX_SHOWN));
}

function plain(value: string): string {
  return value
    .replace(/&#x([\da-f]{1,6});/gi, (_all, code: string) =>
      String.fromCodePoint(parseInt(code, 16)),
    )
    .replaceAll("&amp;", "&");
}
