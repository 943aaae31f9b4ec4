/** The file of an imported page: front matter and Markdown with the new addresses. */
import { formatYaml } from "#lib/yaml";
import { isRecord } from "#kernel";
import type { ImportedPage } from "../contract.js";
import { resolveLink, type LinkContext } from "../plan/resolve.js";
import { htmlToMarkdown } from "./html-to-markdown.js";
import { changeAddresses, type ScanText, changeWikiLinks } from "./markdown-text.js";

/** The text of a page, and what happened to its links. */
interface PageText {
  readonly text: string;
  readonly notes: readonly string[];
  readonly rewritten: number;
  readonly unresolved: number;
}
/** Makes the file of a page. */
export async function pageText(
  page: ImportedPage,
  context: LinkContext,
  scan: ScanText,
): Promise<PageText> {
  const links = new Links(context);
  const { markdown, lost } = await bodyOf(page, links, scan);
  const image =
    typeof page.image === "string" && page.image !== "" ? links.change(page.image) : null;
  const { slug } = context.page;
  const matter = withoutEmpty({
    ...page.frontmatter,
    ...(slug !== null && { slug }),
    ...(image !== null && { image }),
  });
  const notes = [
    ...(page.notes ?? []),
    ...lost.map((name) => `${name} has no counterpart in Markdown and was left out`),
    ...links.unresolved.map(
      (target) =>
        `link to ${JSON.stringify(target.slice(0, 200))} leads to nothing that was imported`,
    ),
  ];
  const body = markdown.trim();
  const text = `---\n${formatYaml(matter)}---\n${body === "" ? "" : `\n${body}\n`}`;
  return { text, notes, rewritten: links.rewritten, unresolved: links.unresolved.length };
}

async function bodyOf({ body }: ImportedPage, links: Links, scan: ScanText) {
  const change = (address: string): string => links.change(address);
  if (body.format === "html") return htmlToMarkdown(body.text, change);
  const plain =
    body.wikiLinks === true ? changeWikiLinks(body.text, (name) => links.wiki(name)) : body.text;
  return { markdown: changeAddresses(plain, change, scan), lost: [] };
}

/** Counts what happens to the links of one page. */
class Links {
  readonly #context: LinkContext;
  readonly unresolved: string[] = [];
  /** Addresses of wiki links: new ones, which the links of Markdown include too. */
  readonly #fromWiki = new Set<string>();
  rewritten = 0;

  constructor(context: LinkContext) {
    this.#context = context;
  }

  change(address: string): string {
    if (this.#fromWiki.has(address.replace(/#.*$/s, ""))) return address;
    const resolved = resolveLink(address, this.#context);
    if (resolved.kind === "outside") return address;
    if (resolved.kind === "unresolved") {
      this.unresolved.push(address);
      return address;
    }
    this.rewritten += 1;
    return resolved.href;
  }

  /** The address of a name in a wiki link; null when nothing has it. */
  wiki(key: string): string | null {
    const resolved = resolveLink(key, this.#context);
    if (resolved.kind === "page" || resolved.kind === "media") {
      this.rewritten += 1;
      this.#fromWiki.add(resolved.href);
      return resolved.href;
    }
    this.unresolved.push(key.replace(/^wiki:/, ""));
    return null;
  }
}

/** The front matter without empty values, and without maps that have nothing else. */
function withoutEmpty(matter: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept = Object.entries(matter)
    .map(([key, value]) => [key, isRecord(value) ? withoutEmpty(value) : value] as const)
    .filter(([, value]) => !isEmpty(value));
  return Object.fromEntries(kept);
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  return isRecord(value) && !(value instanceof Date) && Object.keys(value).length === 0;
}
