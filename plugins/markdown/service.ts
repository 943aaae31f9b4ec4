import { callCheck, escapeHtml, expectFields, HttpError, SiteError } from "#kernel";
import type { ContentService, Page, PageEntry } from "../content/contract.js";
import { fontAddresses, assetHead } from "./assets.js";
import type { Format, IncludeSyntax, MarkdownService, Rendered } from "./contract.js";
import { markIncludes } from "./includes.js";
import type { BodyRenderer } from "./render/body-renderer.js";
import type { MdFormat } from "./formats/md.js";
import { loosePage, topEntry } from "./parse/loose-page.js";
import { plainText } from "./parse/plain-text.js";
import type { ProblemList } from "./links/problems.js";
import { certainHeadings, hasOutsideCode } from "./links/written-anchors.js";
import type { ReferenceResolver } from "./links/resolve-reference.js";
import type { Shortcodes } from "./shortcodes.js";
import type { WikiLinks } from "./syntax/wiki-links.js";

const MAX_LOOSE_BYTES = 512 * 1024;

/** Dependencies of the service. */
export interface MarkdownServiceOptions {
  formats: FormatRegistry;
  md: MdFormat;
  bodies: Pick<BodyRenderer, "renderVisitorText">;
  references: Pick<ReferenceResolver, "of" | "facts" | "ownFragment">;
  content: Pick<ContentService, "media" | "addFormat">;
  problems: ProblemList;
  shortcodes: Shortcodes;
  wiki: Pick<WikiLinks, "problems">;
  defaultLanguage: string;
  /** The systems whose own lines include files. */
  includes: readonly IncludeSyntax[];
  usesMath: boolean;
  usesWikiLinks: boolean;
  /** True for a page whose headings get ids, and whose text no plugin changes. */
  keepsHeadings(page: Pick<Page, "entry">): boolean;
}

/** Creates the service `markdown`. */
export function createMarkdownService(parts: MarkdownServiceOptions): MarkdownService {
  const { formats, problems } = parts;
  const formatOf = (page: Page): Format => formats.get(page.entry.format);
  // Not in site.cache: an excerpt goes with its page object.
  const excerpts = new WeakMap<Page, Map<number | undefined, string>>();
  return {
    async render(page, props, needs) {
      return formatOf(page).render({
        page,
        resolve: (reference) => parts.references.of(page).resolve(page, reference),
        ...(props === undefined ? {} : { props }),
        ...(needs === undefined ? {} : { needs }),
      });
    },
    async renderText(markdown, base, view) {
      const { html, reads = [], until } = await renderLoose(parts, markdown, base);
      for (const tag of reads) view?.reads.add(tag);
      if (until !== undefined) view?.expireAt(until);
      return html;
    },
    async renderVisitorText(markdown) {
      const { rendered, failure } = await parts.bodies.renderVisitorText(markdown);
      if (failure === null) return { html: rendered.html, obstacle: null };
      const html = `<p>${escapeHtml(markdown)}</p>`;
      return { html, obstacle: failure.isPassing ? "busy" : "text" };
    },
    text: (page) => formatOf(page).text(page),
    plainText: (markdown) => plainText(markdown, { shortcodes: parts.shortcodes.names }),
    excerpt(page, size) {
      const bySize = excerpts.get(page) ?? new Map<number | undefined, string>();
      excerpts.set(page, bySize);
      const cached = bySize.get(size);
      if (cached !== undefined) return cached;
      const { frontmatter, title } = page.entry;
      const text = (limit: number): string => formatOf(page).text(page, limit);
      const excerpt = cutExcerpt({ frontmatter, title, text }, size);
      bySize.set(size, excerpt);
      return excerpt;
    },
    async hrefs(entry, references) {
      const page = loosePage("", entry, await parts.content.media(entry.folder));
      const facts = await parts.references.facts(page, references, "structure");
      return Promise.all(
        references.map(async (reference) =>
          reference.startsWith("#")
            ? await parts.references.ownFragment(page, reference)
            : (facts.get(reference)?.url ?? reference),
        ),
      );
    },
    headOf: assetHead,
    certainAnchors: (page) =>
      parts.keepsHeadings(page) ? certainHeadings(page.body) : new Set<string>(),
    needsCheck({ entry, body }) {
      if (entry.format !== "md") return entry.format === "mdx";
      const hasShortcodes =
        parts.shortcodes.names.length > 0 &&
        (["{{", "::: include"].some((mark) => hasOutsideCode(body, mark)) ||
          markIncludes(body, { systems: parts.includes }) !== body);
      return hasShortcodes || (parts.usesWikiLinks && hasOutsideCode(body, "[["));
    },
    fileAddresses: () => (parts.usesMath ? fontAddresses() : []),
    forReaders,
    register(format) {
      formats.register(format);
      parts.content.addFormat(format.extension, { runs: format.runs });
    },
    addShortcode: (name, shortcode) => parts.shortcodes.add(name, shortcode),
    shortcodes: () => parts.shortcodes.names,
    shortcodeFields: (name) => parts.shortcodes.fieldsOf(name),
    problems: () => [
      ...problems.list(),
      ...parts.shortcodes.problems.list(),
      ...parts.wiki.problems.list(),
    ],
  };
}

async function renderLoose(
  { md, content, defaultLanguage }: MarkdownServiceOptions,
  markdown: string,
  base: PageEntry | undefined,
): Promise<Rendered> {
  if (Buffer.byteLength(markdown) > MAX_LOOSE_BYTES) {
    throw new HttpError(413, `the Markdown text is larger than ${MAX_LOOSE_BYTES} bytes`, {
      code: "ERR_MARKDOWN_TOO_LARGE",
      fix: "send less at once",
    });
  }
  const entry = base ?? topEntry(defaultLanguage);
  const media = base === undefined ? [] : await content.media(base.folder);
  return md.renderLoose(loosePage(markdown, entry, media));
}

const DEFAULT_SIZE = 300;

/** Source of an excerpt. */
export interface ExcerptSource {
  frontmatter: Readonly<Record<string, unknown>>;
  title: string;
  /** The beginning of the page's text, if long enough at least a few times `size` long. */
  text(size: number): string;
}

/** The page's summary: front matter `summary`, else the beginning of its text, else its title. */
export function cutExcerpt(source: ExcerptSource, size?: number): string {
  const { summary } = source.frontmatter;
  if (typeof summary === "string" && summary.trim() !== "") return summary.trim();
  const length = size ?? summarySize(summary) ?? DEFAULT_SIZE;
  const text = withoutTitle(source.text(length), source.title).replace(/\s+/g, " ").trim();
  return text === "" ? source.title : cutAtWord(text, length);
}

/** Removes a heading that repeats the title from the start of a text. */
function withoutTitle(text: string, title: string): string {
  const [first = "", ...rest] = text.trimStart().split("\n");
  return first.trim() === title.trim() ? rest.join("\n") : text;
}

/** At most `size` characters; truncated text is cut at a space and ends with `…`. */
export function cutAtWord(text: string, size: number): string {
  if (text.length <= size) return text;
  const head = text.slice(0, size);
  const space = text[size] === " " ? size : head.lastIndexOf(" ");
  return `${wholeCharacters(space > 0 ? head.slice(0, space) : head).trimEnd()}…`;
}

function wholeCharacters(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}

function summarySize(summary: unknown): number | undefined {
  if (typeof summary !== "object" || summary === null || !("size" in summary)) return undefined;
  const { size } = summary;
  return typeof size === "number" && Number.isInteger(size) && size > 0 ? size : undefined;
}

const HEADING_ANCHOR = /<a class="heading-anchor"[^>]*><\/a>/g;
const TAB_LABEL = /<label class="tab-label"><input[^>]*>([^<]*)<\/label>/g;
const PRESENTATION = '<span class="katex-html" aria-hidden="true">';

/** Leaves out anchors of headings and the drawn form of formulas, and turns tabs into titled parts. */
export function forReaders(html: string): string {
  const text = html.includes("heading-anchor") ? html.replace(HEADING_ANCHOR, "") : html;
  const parts = text.includes("tab-label")
    ? text.replace(TAB_LABEL, "<p><strong>$1</strong></p>")
    : text;
  return parts.includes(PRESENTATION) ? withoutPresentation(parts) : parts;
}

/** MathML remains, which readers either draw or show as text. */
function withoutPresentation(html: string): string {
  let text = "";
  let from = 0;
  for (let at = html.indexOf(PRESENTATION); at !== -1; at = html.indexOf(PRESENTATION, from)) {
    text += html.slice(from, at);
    from = endOfSpan(html, at);
  }
  return text + html.slice(from);
}

function endOfSpan(html: string, start: number): number {
  const tags = /<(\/?)span\b/g;
  tags.lastIndex = start;
  let depth = 0;
  for (let tag = tags.exec(html); tag !== null; tag = tags.exec(html)) {
    depth += tag[1] === "/" ? -1 : 1;
    if (depth === 0) return tags.lastIndex + 1;
  }
  return html.length;
}

const assertRegister = callCheck(
  "markdown.register",
  { format: expectFields({ extension: ["string"], render: ["function"], text: ["function"] }) },
  'site.use("markdown").register({ extension: "adoc", render: async (input) => …, text: (page) => … })',
);

const EXTENSION = /^[a-z0-9]{1,16}$/;

/**
 * Formats by file extension. A later registration replaces an earlier one, so plugins can exchange
 * formats.
 */
export class FormatRegistry {
  readonly #formats = new Map<string, Format>();

  /** @throws ERR_MARKDOWN_FORMAT_NAME for an invalid extension. */
  register(format: Format): void {
    assertRegister(format);
    if (!EXTENSION.test(format.extension)) {
      throw new SiteError(
        "ERR_MARKDOWN_FORMAT_NAME",
        `the format has the invalid extension ${JSON.stringify(format.extension)}`,
        { fix: "use 1 to 16 lower-case letters and digits, without a dot" },
      );
    }
    this.#formats.set(format.extension, format);
  }

  /** @throws ERR_MARKDOWN_FORMAT_UNKNOWN, listing the registered formats. */
  get(extension: string): Format {
    const format = this.#formats.get(extension);
    if (format !== undefined) return format;
    throw new SiteError(
      "ERR_MARKDOWN_FORMAT_UNKNOWN",
      `no format is registered for ${JSON.stringify(extension)}, registered: ${this.extensions.join(", ")}`,
      { fix: "select the plugin that provides the format, or rename the file" },
    );
  }

  get extensions(): readonly string[] {
    return [...this.#formats.keys()].sort();
  }
}
