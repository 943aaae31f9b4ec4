/** Pages as Markdown, and `llms.txt` and `llms-full.txt` as described at https://llmstxt.org. */
import { isRecord, type SiteContext } from "#kernel";
import type { ContentView, PageEntry } from "../content/contract.js";

/** Bytes of the texts in `llms-full.txt`; pages after that are listed with their address only. */
const MAX_BYTES = 8 * 1_024 * 1_024;

/** Input of both documents. */
export interface LlmsInput {
  site: SiteContext;
  view: ContentView;
  lang: string;
}

/** A heading, the description, and a list of pages per section of the site. */
export function llmsList(input: LlmsInput): string {
  const { site } = input;
  const parts = [header(site)];
  for (const { title, pages } of sections(input)) {
    const items = pages.map((entry) => listItem(site, entry));
    parts.push(`${title === null ? "" : `## ${oneLine(title)}\n\n`}${items.join("\n")}`);
  }
  return `${parts.join("\n\n")}\n`;
}

/** The texts of all pages, in tree order. */
export async function llmsFull(input: LlmsInput): Promise<string> {
  const { site } = input;
  const parts = [header(site)];
  let bytes = 0;
  for (const { pages } of sections(input)) {
    for (const entry of pages) {
      const isListed = bytes >= MAX_BYTES || !hasMarkdown(entry);
      const text = isListed ? listItem(site, entry) : await article(input, entry);
      bytes += Buffer.byteLength(text);
      parts.push(text);
    }
  }
  return `${parts.join("\n\n")}\n`;
}

function header({ settings }: SiteContext): string {
  const { title, description } = settings.site;
  return `# ${oneLine(title)}${description === "" ? "" : `\n\n> ${oneLine(description)}`}`;
}

interface Section {
  /** Null: the pages of the top level. */
  title: string | null;
  pages: PageEntry[];
}

/** The sections of a language. */
interface SectionTree {
  readonly top: Section;
  /** By the first segment of their routes. */
  readonly branches: Map<string, Section>;
}

/** The pages of a language that robots may list, by the page at the top of their branch; in tree order. */
function sections({ site, view, lang }: LlmsInput): readonly Section[] {
  const { indexing } = site.use("content");
  const tree: SectionTree = { top: { title: null, pages: [] }, branches: new Map() };
  const listed = new Set(view.all({ lang }));
  const content = view.viewer.moment ?? site.use("content");
  for (const entry of content.generation().entries) {
    if (!listed.has(entry) || !indexing.isIndexed(entry)) continue;
    findSection(entry, view, tree).pages.push(entry);
  }
  return [tree.top, ...tree.branches.values()].filter(({ pages }) => pages.length > 0);
}

function findSection(
  { route, lang }: PageEntry,
  view: ContentView,
  { top, branches }: SectionTree,
): Section {
  const [, first = "", below] = route.split("/");
  const existing = branches.get(first);
  if (existing !== undefined) return existing;
  const hasBranch = below !== undefined || view.children(`/${first}`, lang).length > 0;
  if (route === "/" || !hasBranch) return top;
  const section = { title: view.page(`/${first}`, lang)?.title ?? first, pages: [] };
  branches.set(first, section);
  return section;
}

function listItem(site: SiteContext, entry: PageEntry): string {
  const address = hasMarkdown(entry) ? markdownUrl(entry) : entry.url;
  const summary = readSummary(entry);
  const note = summary === "" ? "" : `: ${summary}`;
  return `- [${oneLine(entry.title).replace(/[[\]\\]/g, "\\$&")}](${absolute(site, address)})${note}`;
}

async function article({ site, view }: LlmsInput, entry: PageEntry): Promise<string> {
  const text = (await pageText(view, entry)).trim();
  const title = `# ${oneLine(entry.title)}`;
  // A body that begins with its title keeps it as the only heading of the first level.
  const body = text.startsWith("# ") ? text.replace(/^.*\n?/, "").trim() : text;
  return [title, `Source: ${absolute(site, entry.url)}`, body].filter(Boolean).join("\n\n");
}

/** The summary or description of the front matter; listing pages must not load them. */
function readSummary({ frontmatter }: PageEntry): string {
  const { summary, metadata } = frontmatter;
  const description = isRecord(metadata) ? metadata["description"] : undefined;
  const [text = ""] = [summary, description].filter((value) => typeof value === "string");
  return oneLine(text);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function absolute({ settings }: SiteContext, address: string): string {
  return `${settings.site.url.replace(/(?<!\/)\/+$/, "")}${address}`;
}

const FORMATS: readonly string[] = ["md", "mdx"];

/** True for a page whose source is Markdown. */
export function hasMarkdown({ format }: PageEntry): boolean {
  return FORMATS.includes(format);
}

/** The source of a page without front matter, then that of its modules, in the order of the page. */
export async function pageText(view: ContentView, entry: PageEntry): Promise<string> {
  const parts = [entry, ...view.modules(entry)].filter(hasMarkdown);
  const texts: string[] = [];
  for (const part of parts) texts.push((await view.load(part)).body);
  return texts.length === 1 ? (texts[0] ?? "") : joined(texts);
}

/** The address of a page's Markdown; the home page has the name `index`. */
export function markdownUrl({ url, route }: Pick<PageEntry, "url" | "route">): string {
  if (route !== "/") return `${url}.md`;
  return url === "/" ? "/index.md" : `${url}/index.md`;
}

function joined(texts: readonly string[]): string {
  const written = texts.map((text) => text.trim()).filter((text) => text !== "");
  return `${written.join("\n\n")}\n`;
}
