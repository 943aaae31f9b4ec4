import { randomBytes } from "node:crypto";
import type { Element, ElementContent, Properties, Root } from "hast";
import rehypeAutolinkHeadings from "rehype-autolink-headings";
import rehypeRaw from "rehype-raw";
import rehypeSanitize from "rehype-sanitize";
import rehypeSlug from "rehype-slug";
import rehypeStringify from "rehype-stringify";
import { defListHastHandlers } from "remark-definition-list";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { defuseHeadingIds, prefixIds, repairAnchors, secureLinks } from "../links/anchors.js";
import { unlinkBareUrls } from "../parse/auto-links.js";
import type { Rendered } from "../contract.js";
import { eachElement } from "../parse/each-element.js";
import type { Highlight } from "./highlight-code.js";
import { applyCustomIds, headingLevel, isFootnoteLabel, listHeadings } from "../parse/headings.js";
import { fillImages } from "./image-attributes.js";
import { parseMarkdown } from "../parse/markdown-parser.js";
import { nameControls } from "./name-controls.js";
import { parseShallow } from "../parse/nesting.js";
import { protectOrphans } from "../links/orphans.js";
import type { Facts, RenderOptions } from "./render-options.js";
import { collectReferences, resolveLinks } from "../links/resolve-links.js";
import { fillMarks } from "../shortcodes/fill-marks.js";
import { markKey } from "../shortcodes/mark-key.js";
import { markShortcodes, type Mark } from "../shortcodes/shortcode-syntax.js";
import { usesShortcodes } from "./render-options.js";
import { sanitizeSchema } from "./sanitize-schema.js";
import { markLines, placed } from "./source-lines.js";

/** A parsed body: its references, and its HTML once they are resolved. */
export interface Draft {
  readonly references: readonly string[];
  /** True when `finish` needs a highlighter. */
  readonly hasCode: boolean;
  finish(facts: Facts, highlight?: Highlight): Rendered;
}

const toTree = unified()
  .use(remarkRehype, {
    allowDangerousHtml: true,
    // A separate step prefixes every id; a prefix here would be added twice.
    clobberPrefix: "",
    handlers: defListHastHandlers,
  })
  .freeze();
const rawHtml = unified().use(rehypeRaw).freeze();
const toHtml = unified().use(rehypeStringify, { allowDangerousHtml: false }).freeze();
const sanitize = unified().use(rehypeSanitize, sanitizeSchema).freeze();
const slug = unified().use(rehypeSlug).freeze();
const linkHeadings = unified()
  .use(rehypeAutolinkHeadings, {
    behavior: "append",
    test: takesAnchor,
    // An empty link named after its heading: the theme draws the icon; feeds and reader modes see
    // nothing.
    properties: ({ properties }): Properties => ({
      className: ["heading-anchor"],
      ariaLabelledBy: [String(properties["id"])],
    }),
    content: [],
  })
  .freeze();

/** Parses Markdown; the slow part of rendering. */
export function draftMarkdown(source: string, options: RenderOptions): Draft {
  const mdast = parseMarkdown(source, options);
  const token = `shortcode-${randomBytes(12).toString("hex")}`;
  const isMarked = usesShortcodes(options);
  const marks = isMarked ? markShortcodes(mdast, token, options.addresses === true) : [];
  if (!options.autoUrlLinks) unlinkBareUrls(mdast, source);
  const draft = draftTree(withRawParsed(toTree.runSync(mdast)), options, { token, marks });
  return { ...draft, references: [...draft.references, ...marks.map(markKey)] };
}

/** Uses the HTML of a component instead of parsed Markdown. */
export function draftHtml(html: string, options: RenderOptions): Draft {
  return draftTree(parseHtml(html), options);
}

/** Sanitises HTML that was changed after rendering; keeps the ids of `headings`. */
export function cleanHtml(html: string, headings: Rendered["headings"]): Rendered {
  const tree = parseHtml(html);
  resolveLinks(tree, new Map(), { trusted: false });
  const clean = sanitize.runSync(tree);
  prefixIds(clean, new Set(headings.map(({ id }) => id)));
  nameControls(clean);
  secureLinks(clean);
  return { html: toHtml.stringify(clean), headings: listHeadings(clean) };
}

function draftTree(tree: Root, options: RenderOptions, places: Marks = NO_MARKS): Draft {
  return {
    references: collectReferences(tree),
    hasCode: hasCode(tree),
    finish(facts, highlight) {
      fillShortcodes(tree, facts, places);
      const finished = resolveTree(tree, facts, options);
      if (highlight !== undefined) highlight(finished);
      return toRendered(finished, facts, { options, places });
    },
  };
}

/** The shortcodes of a body, and the class that marks their places. */
interface Marks {
  readonly token: string;
  readonly marks: readonly Mark[];
}
const NO_MARKS: Marks = { token: "", marks: [] };

/** Fills the places of shortcodes, except those whose HTML is not to be sanitised. */
function fillShortcodes(tree: Root, facts: Facts, { token, marks }: Marks): void {
  if (marks.length === 0) return;
  fillMarks(tree, token, (index, element) => {
    const mark = marks[index];
    const fact = mark && facts.get(markKey(mark));
    if (fact?.html !== undefined)
      return fact.trusted === true ? null : placed(parseHtml(fact.html).children, element);
    if (element.tagName === "span") return [{ type: "text", value: mark?.source ?? "" }];
    delete element.properties["className"];
    return [element];
  });
}

function fillTrusted(tree: Root, facts: Facts, { token, marks }: Marks): void {
  if (marks.length === 0) return;
  fillMarks(tree, token, (index) => {
    const mark = marks[index];
    return parseHtml((mark && facts.get(markKey(mark))?.html) ?? "").children;
  });
}

function resolveTree(draft: Root, facts: Facts, options: RenderOptions): Root {
  resolveLinks(draft, facts, { trusted: options.trusted });
  const tree = options.trusted ? draft : sanitize.runSync(draft);
  if (!options.trusted) prefixIds(tree, new Set());
  if (options.linesAbove !== undefined) markLines(tree, options.linesAbove);
  if (options.extra) addHeadingIds(tree);
  repairAnchors(tree);
  nameControls(tree);
  return tree;
}

function toRendered(
  tree: Root,
  facts: Facts,
  { options, places }: { options: RenderOptions; places: Marks },
): Rendered {
  secureLinks(tree);
  linkHeadings.runSync(tree);
  fillImages(tree, facts);
  if (options.orphans) protectOrphans(tree);
  fillTrusted(tree, facts, places);
  return { html: toHtml.stringify(tree), headings: listHeadings(tree) };
}

function addHeadingIds(tree: Root): void {
  applyCustomIds(tree);
  slug.runSync(tree);
  defuseHeadingIds(tree);
}

function withRawParsed(tree: Root): Root {
  return hasRaw(tree) ? parseRaw(tree) : tree;
}

function parseRaw(tree: Root): Root {
  return parseShallow(() => rawHtml.runSync(tree));
}

function hasRaw({ children }: Root | Element): boolean {
  return children.some((node) => node.type === "raw" || (node.type === "element" && hasRaw(node)));
}

function hasCode(tree: Root): boolean {
  let found = false;
  eachElement(tree, ({ tagName }) => {
    found ||= tagName === "pre";
  });
  return found;
}

function parseHtml(html: string): Root {
  return parseRaw({ type: "root", children: [{ type: "raw", value: html }] });
}

function takesAnchor(element: Element): boolean {
  const { id } = element.properties;
  return headingLevel(element) > 1 && !isFootnoteLabel(id) && !hasAnchor(element.children.at(-1));
}

function hasAnchor(node: ElementContent | undefined): boolean {
  if (node?.type !== "element") return false;
  const { className } = node.properties;
  return Array.isArray(className) && className.includes("heading-anchor");
}
