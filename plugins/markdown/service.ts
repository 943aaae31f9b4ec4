import { escapeHtml, HttpError } from "#kernel";
import type { ContentService, Page, PageEntry } from "../content/contract.js";
import { fontAddresses, headOf } from "./assets.js";
import type { Format, MarkdownService, Rendered, VisitorText } from "./contract.js";
import type { BodyRenderer } from "./render/body-renderer.js";
import { excerptOf } from "./parse/excerpt.js";
import type { FormatRegistry } from "./formats/format-registry.js";
import type { MdFormat } from "./formats/md.js";
import { loosePage, topEntry } from "./parse/loose-page.js";
import { forReaders } from "./syntax/for-readers.js";
import { plainText } from "./parse/plain-text.js";
import type { ProblemList } from "./links/problems.js";
import type { ReferenceResolver } from "./links/references.js";

import type { Shortcodes } from "./shortcodes/shortcodes.js";
import type { WikiLinks } from "./links/wiki-links.js";

const MAX_LOOSE_BYTES = 512 * 1024;

/** Dependencies of the service. */
export interface MarkdownServiceParts {
  formats: FormatRegistry;
  md: MdFormat;
  bodies: Pick<BodyRenderer, "renderVisitorText">;
  references: Pick<ReferenceResolver, "of" | "facts" | "ownFragment">;
  content: Pick<ContentService, "media" | "addFormat">;
  problems: ProblemList;
  shortcodes: Shortcodes;
  wiki: Pick<WikiLinks, "problems">;
  defaultLanguage: string;
  usesMath: boolean;
}

/** Creates the service `markdown`. */
export function createMarkdownService(parts: MarkdownServiceParts): MarkdownService {
  const { formats, problems } = parts;
  const formatOf = (page: Page): Format => formats.get(page.entry.format);
  // Not in site.cache: an excerpt goes with its page object.
  const excerpts = new WeakMap<Page, Map<number | undefined, string>>();
  return {
    async render(page, props) {
      return formatOf(page).render({
        page,
        resolve: (reference) => parts.references.of(page).resolve(page, reference),
        ...(props === undefined ? {} : { props }),
      });
    },
    async renderText(markdown, base, view) {
      const { html, reads = [], until } = await renderLoose(parts, markdown, base);
      for (const tag of reads) view?.reads.add(tag);
      if (until !== undefined) view?.expireAt(until);
      return html;
    },
    renderVisitorText: (markdown) => renderOfVisitor(parts.bodies, markdown),
    text: (page) => formatOf(page).text(page),
    plainText: (markdown) => plainText(markdown, { shortcodes: parts.shortcodes.names }),
    excerpt(page, size) {
      const bySize = excerpts.get(page) ?? new Map<number | undefined, string>();
      excerpts.set(page, bySize);
      const cached = bySize.get(size);
      if (cached !== undefined) return cached;
      const { frontmatter, title } = page.entry;
      const text = (limit: number): string => formatOf(page).text(page, limit);
      const excerpt = excerptOf({ frontmatter, title, text }, size);
      bySize.set(size, excerpt);
      return excerpt;
    },
    async hrefs(entry, references) {
      const page = loosePage("", entry, await parts.content.media(entry.folder));
      const facts = await parts.references.facts(page, references);
      return Promise.all(
        references.map(async (reference) =>
          reference.startsWith("#")
            ? await parts.references.ownFragment(page, reference)
            : (facts.get(reference)?.url ?? reference),
        ),
      );
    },
    headOf,
    fileAddresses: () => (parts.usesMath ? fontAddresses() : []),
    forReaders,
    register(format) {
      formats.register(format);
      parts.content.addFormat(format.extension, { runs: format.runs });
    },
    addShortcode: (name, shortcode) => parts.shortcodes.add(name, shortcode),
    shortcodes: () => parts.shortcodes.names,
    problems: () => [
      ...problems.list(),
      ...parts.shortcodes.problems.list(),
      ...parts.wiki.problems.list(),
    ],
  };
}

async function renderOfVisitor(
  bodies: Pick<BodyRenderer, "renderVisitorText">,
  markdown: string,
): Promise<VisitorText> {
  const { rendered, failure } = await bodies.renderVisitorText(markdown);
  if (failure === null) return { html: rendered.html, obstacle: null };
  const html = `<p>${escapeHtml(markdown)}</p>`;
  return { html, obstacle: failure.isPassing ? "busy" : "text" };
}

async function renderLoose(
  { md, content, defaultLanguage }: MarkdownServiceParts,
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
