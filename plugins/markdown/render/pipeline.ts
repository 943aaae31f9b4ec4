import { randomBytes } from "node:crypto";
import type { Element, Root, RootContent, ElementContent, Properties } from "hast";
import rehypeRaw from "rehype-raw";
import rehypeSanitize from "rehype-sanitize";
import rehypeSlug from "rehype-slug";
import rehypeStringify from "rehype-stringify";
import { defListHastHandlers } from "remark-definition-list";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { remark } from "remark";
import rehypeAutolinkHeadings from "rehype-autolink-headings";
import {
  defuseHeadingIds,
  prefixIds,
  repairAnchors,
  secureLinks,
  applyCustomIds,
  listHeadings,
  nameSymbolHeadings,
  headingLevel,
  isFootnoteLabel,
} from "../links/anchors.js";
import { unlinkBareUrls, parseMarkdown } from "../parse/markdown-parser.js";
import type { Rendered } from "../contract.js";
import { toDirectives, translateWord } from "../syntax/containers.js";
import {
  finishParts,
  markMarginNotes,
  markMath,
  resolveWikiLinks,
  withMath,
  Parts,
  setAside,
} from "../syntax/placeholders.js";
import type { SyntaxModules } from "../syntax/switches.js";
import { transformSyntax, wikiKeys } from "../syntax/transform.js";
import { fillImages, collectReferences, setAddresses } from "../links/set-addresses.js";
import { parseShallow, shallowOnly } from "../parse/nesting.js";
import { protectOrphans } from "./html/last-word-space.js";
import { markKey, markShortcodes, type Mark } from "../syntax/shortcode-syntax.js";
import { listLanguages } from "../syntax/code-info.js";
import type { Highlight } from "./highlight-code.js";
import { nameControls } from "./html/name-controls.js";
import { type Facts, type RenderOptions, usesShortcodes, type WholeJob } from "./render-job.js";
import { sanitizeSchema } from "./html/sanitize-schema.js";

/** A parsed body: its references, and its HTML once they are resolved. */
export interface ParsedBody {
  readonly references: readonly string[];
  /** Languages of its code that `finish` highlights; null when it needs no highlighter. */
  readonly languages: readonly string[] | null;
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

/** Parses Markdown; the slow part of rendering. `modules`: those that the syntax of the body needs. */
export function parseMarkdownBody(
  written: string,
  options: RenderOptions,
  modules: SyntaxModules = {},
): ParsedBody {
  const { syntax = [] } = options;
  const prepared = syntax.includes("directives") ? toDirectives(written) : unprepared(written);
  const used = prepared.hasAny ? syntax : syntax.filter((name) => name !== "directives");
  const { source } = prepared;
  const mdast = parseMarkdown(source, { ...options, syntax: used }, modules);
  const token = `shortcode-${randomBytes(12).toString("hex")}`;
  const isMarked = usesShortcodes(options);
  const marks = isMarked ? markShortcodes(mdast, token, options.addresses === true) : [];
  const parts = new Parts();
  if (used.length > 0) {
    const context = { source, written: prepared.written, needed: new Set(used), parts, modules };
    transformSyntax(mdast, { ...context, lang: options.lang ?? "en" });
  }
  if (!options.autoUrlLinks) unlinkBareUrls(mdast, source);
  const places = { token, marks, parts, modules };
  const body = toParsedBody(parseRaw(toTree.runSync(mdast)), options, places);
  const references = [...body.references, ...marks.map(markKey), ...wikiKeys(parts)];
  return { ...body, references };
}

function unprepared(source: string): ReturnType<typeof toDirectives> {
  return { source, written: new Map(), hasAny: true };
}

/** Uses the HTML of a component instead of parsed Markdown. */
export function parseHtmlBody(html: string, options: RenderOptions): ParsedBody {
  return toParsedBody(parseHtml(html), options);
}

/**
 * Sanitises HTML that was changed after rendering. Elements that are as `before` stay: sanitising would
 * remove formulas, tabs and frames of trusted shortcodes. Ids of headings stay too.
 */
export function cleanHtml(html: string, before: Rendered): Rendered {
  const tree = parseHtml(html);
  const aside = setAside(tree, parseHtml(before.html));
  setAddresses(tree, new Map(), { trusted: false });
  const clean = sanitize.runSync(tree);
  prefixIds(clean, new Set(before.headings.map(({ id }) => id)));
  aside.putBack(clean);
  nameControls(clean);
  secureLinks(clean);
  return { html: toHtml.stringify(clean), headings: listHeadings(clean) };
}

/** Renders a job that needs no facts. */
export function renderWhole(job: WholeJob): Rendered {
  if (job.kind === "clean") return cleanHtml(job.source, job.before);
  return { html: visitorHtml(job.source), headings: [] };
}

function toParsedBody(tree: Root, options: RenderOptions, places: Places = noPlaces()): ParsedBody {
  return {
    references: collectReferences(tree),
    languages: listLanguages(tree, options),
    finish(facts, highlight) {
      fillShortcodes(tree, facts, places);
      resolveWikiLinks(tree, places.parts, facts);
      return toRendered(tree, facts, { options, places, highlight });
    },
  };
}

/** The shortcodes of a body, the class that marks their places, and the places of other syntax. */
interface Places {
  readonly token: string;
  readonly marks: readonly Mark[];
  readonly parts: Parts;
  readonly modules: SyntaxModules;
}
function noPlaces(): Places {
  return { token: "", marks: [], parts: new Parts(), modules: {} };
}

/** Fills the places of shortcodes, except those whose HTML is not to be sanitised. */
function fillShortcodes(tree: Root, facts: Facts, { token, marks }: Places): void {
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

function fillTrusted(tree: Root, facts: Facts, { token, marks }: Places): void {
  if (marks.length === 0) return;
  fillMarks(tree, token, (index) => {
    const mark = marks[index];
    return parseHtml((mark && facts.get(markKey(mark))?.html) ?? "").children;
  });
}

function resolveTree(body: Root, facts: Facts, options: RenderOptions): Root {
  setAddresses(body, facts, { trusted: options.trusted });
  const tree = options.trusted ? body : sanitize.runSync(body);
  if (!options.trusted) prefixIds(tree, new Set());
  if (options.linesAbove !== undefined) markLines(tree, options.linesAbove);
  if (options.extra) addHeadingIds(tree);
  repairAnchors(tree);
  return tree;
}

interface FinishOptions {
  options: RenderOptions;
  places: Places;
  highlight: Highlight | undefined;
}

function toRendered(
  body: Root,
  facts: Facts,
  { options, places, highlight }: FinishOptions,
): Rendered {
  const { syntax = [], lang = "en" } = options;
  const tree = resolveTree(body, facts, options);
  const { codes, tocs, math } = finishParts(tree, places.parts);
  if (syntax.includes("margin_notes")) markMarginNotes(tree);
  nameControls(tree);
  const [tokens, lines] = [syntax.includes("highlight"), syntax.includes("code_lines")];
  highlight?.(tree, { codes, tokens, lines });
  secureLinks(tree);
  linkHeadings(tree);
  fillImages(tree, facts);
  if (options.orphans) protectOrphans(tree);
  fillTrusted(tree, facts, places);
  const headings = listHeadings(tree);
  fillTocs(tocs, headings, lang);
  if (options.structure === true) return { html: toHtml.stringify(tree), headings };
  const formulas = markMath(math, randomBytes(12).toString("hex"), places.modules.math?.render);
  return { html: withMath(toHtml.stringify(tree), formulas), headings };
}

function addHeadingIds(tree: Root): void {
  applyCustomIds(tree);
  slug.runSync(tree);
  nameSymbolHeadings(tree);
  defuseHeadingIds(tree);
}

function parseRaw(tree: Root): Root {
  if (!hasRaw(tree)) return tree;
  return parseShallow(() => rawHtml.runSync(tree));
}

function hasRaw({ children }: Root | Element): boolean {
  return children.some((node) => node.type === "raw" || (node.type === "element" && hasRaw(node)));
}

function parseHtml(html: string): Root {
  return parseRaw({ type: "root", children: [{ type: "raw", value: html }] });
}

/** Marks each top-level element with its line in the file: `data-line`. */
function markLines(tree: Root, linesAbove: number): void {
  for (const node of tree.children) {
    if (node.type !== "element" || node.position === undefined) continue;
    node.properties["dataLine"] = String(linesAbove + node.position.start.line);
  }
}

/** Gives inserted nodes the position of the node that they replace. */
function placed(nodes: readonly RootContent[], at: RootContent): readonly RootContent[] {
  for (const node of nodes) {
    if (at.position === undefined) delete node.position;
    else node.position = at.position;
  }
  return nodes;
}

const TAGS = ["p", "em", "strong", "code", "pre", "blockquote", "ul", "ol", "li", "a", "br"];

const processor = remark()
  .use(shallowOnly)
  .use(remarkRehype)
  .use(rehypeSanitize, {
    tagNames: TAGS,
    attributes: { a: ["href"] },
    protocols: { href: ["http", "https", "mailto"] },
    strip: ["script", "style"],
  })
  .use(rehypeStringify)
  .freeze();

/**
 * Safe HTML; links tell search engines that a visitor has set them. Takes quadratic time at worst, so
 * only the limited renderer calls it.
 */
function visitorHtml(text: string): string {
  const html = String(processor.processSync(text));
  return html.replaceAll("<a href=", '<a rel="nofollow ugc noopener" href=');
}

const PHRASING = new Set(
  "a abbr audio b bdi bdo br cite code del dfn em i img input ins kbd mark q s samp small span strong sub sup time u var video wbr".split(
    " ",
  ),
);

/** Returns the nodes that replace a mark, or null to leave it for later. */
type Fill = (index: number, element: Element) => readonly RootContent[] | null;

/**
 * Replaces the elements whose class is `<token>-<index>`. A paragraph of nothing but marks is replaced
 * by its contents when these are blocks.
 */
function fillMarks(parent: Root | Element, token: string, fill: Fill): void {
  const next: RootContent[] = [];
  for (const child of parent.children) {
    if (child.type !== "element") {
      next.push(child);
      continue;
    }
    const index = readIndex(child, token);
    const nodes = index === null ? null : fill(index, child);
    if (nodes !== null) {
      next.push(...nodes);
      continue;
    }
    const isAlone = child.tagName === "p" && isOnlyMarks(child, token);
    fillMarks(child, token, fill);
    if (isAlone && child.children.some(isBlock)) next.push(...child.children);
    else next.push(child);
  }
  parent.children = next as ElementContent[];
}

function readIndex({ properties: { className } }: Element, token: string): number | null {
  const name = Array.isArray(className) ? String(className[0]) : "";
  return name.startsWith(`${token}-`) ? Number(name.slice(token.length + 1)) : null;
}

function isOnlyMarks({ children }: Element, token: string): boolean {
  return children.every((child) =>
    child.type === "element"
      ? readIndex(child, token) !== null
      : child.type === "text" && child.value.trim() === "",
  );
}

function isBlock(node: RootContent): boolean {
  return node.type === "element" && !PHRASING.has(node.tagName);
}

/** Lists the headings of levels 2 and 3 in the places of `[[toc]]`. */
function fillTocs(tocs: readonly Element[], headings: Rendered["headings"], lang: string): void {
  const listed = headings.filter(({ level }) => level === 2 || level === 3);
  for (const toc of tocs) {
    toc.tagName = "nav";
    toc.properties = { className: ["toc"], ariaLabel: translateWord("toc", lang) };
    toc.children = listed.length === 0 ? [] : [listOf(listed)];
  }
}

function listOf(headings: Rendered["headings"]): Element {
  const items: Element[] = [];
  for (const heading of headings) {
    const link = node("a", [{ type: "text", value: heading.text }], { href: `#${heading.id}` });
    const last = items.at(-1);
    if (heading.level === 2 || last === undefined) {
      items.push(node("li", [link]));
      continue;
    }
    const below = last.children[1];
    if (below?.type === "element") below.children.push(node("li", [link]));
    else last.children.push(node("ul", [node("li", [link])]));
  }
  return node("ul", items);
}

function node(
  tagName: string,
  children: ElementContent[],
  properties: Element["properties"] = {},
): Element {
  return { type: "element", tagName, properties, children };
}

const linked = unified()
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

/** Adds a link to each heading below the first level that has an id. */
function linkHeadings(tree: Root): void {
  linked.runSync(tree);
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
