/** Containers (callouts, details, tabs, code groups, galleries and buttons) and GitHub alerts. */
import type {
  BlockContent,
  Code,
  DefinitionContent,
  PhrasingContent,
  RootContent,
  Blockquote,
  Paragraph,
} from "mdast";
import type { ContainerDirective } from "mdast-util-directive";
import type { Properties } from "hast";
import { parseCodeInfo } from "./code-info.js";
import type { TransformContext } from "./placeholders.js";

type Content = BlockContent | DefinitionContent;

/** Gives a container its HTML; returns the nodes that replace it. */
export function toContainer(node: ContainerDirective, context: TransformContext): RootContent[] {
  const name = node.name.toLowerCase();
  const { label, content } = splitParts(node);
  if (!isContainer(name)) return asWritten(node, context);
  if (CALLOUTS.has(name)) {
    const title = label ?? textNodes(translateWord(name, context.lang));
    node.data = asElement("div", ["callout", `callout-${name}`], { role: "note" });
    node.children = calloutChildren(title, content) as Content[];
    return [node];
  }
  if (name === "details") return [toDetails(node, { label, content }, context)];
  if (name === "code-group" || name === "tabs") return [toTabs(node, content, context)];
  if (name === "tab") {
    node.data = asElement("div", ["tab"]);
    return [node];
  }
  if (name === "gallery") {
    node.data = asElement("div", ["gallery"]);
    node.children = content.flatMap(toPictures);
    return [node];
  }
  if (name === "buttons") return [toButtons(node, content)];
  return content;
}

interface ContainerContent {
  label: PhrasingContent[] | null;
  content: Content[];
}

function splitParts({ children }: ContainerDirective): ContainerContent {
  const [first, ...others] = children;
  const isLabel = first?.type === "paragraph" && first.data?.directiveLabel === true;
  return isLabel
    ? { label: first.children, content: others }
    : { label: null, content: [...children] };
}

function toDetails(
  node: ContainerDirective,
  { label, content }: ContainerContent,
  { lang }: TransformContext,
): ContainerDirective {
  const isOpen = node.attributes?.["open"] !== undefined;
  node.data = asElement("details", ["callout", "callout-details"], isOpen ? { open: true } : {});
  const title = label ?? textNodes(translateWord("details", lang));
  node.children = [
    { type: "paragraph", data: asElement("summary", ["callout-title"]), children: title },
    ...content,
  ];
  return node;
}

function toTabs(
  node: ContainerDirective,
  content: Content[],
  { parts }: TransformContext,
): ContainerDirective {
  const tabs: { label: string; node: Content }[] = [];
  for (const child of content) {
    if (child.type === "containerDirective" && child.name === "tab") {
      const { label, content: children } = splitParts(child);
      tabs.push({
        label: (label ?? []).map(nodeText).join("").trim(),
        node: createPanel(children),
      });
    } else if (child.type === "code") {
      tabs.push({ label: codeLabel(child), node: createPanel([child]) });
    } else addToPanel(tabs.at(-1)?.node, child);
  }
  const labels = tabs.map(({ label }, at) => label || String(at + 1));
  node.data = asElement("div", [parts.add({ kind: "tabs", labels })]);
  node.children = tabs.map((tab) => tab.node);
  return node;
}

/** The pictures of a paragraph that has nothing else, each in a paragraph of its own; other content as it is. */
function toPictures(node: Content): Content[] {
  if (node.type !== "paragraph") return [node];
  const parts = node.children.filter((child) => child.type !== "break" && !isBlank(child));
  if (!parts.every(isPicture)) return [node];
  return parts.map((picture) => ({
    type: "paragraph",
    children: [picture],
    ...(picture.position && { position: picture.position }),
  }));
}

function isBlank(node: PhrasingContent): boolean {
  return node.type === "text" && node.value.trim() === "";
}

function isPicture(node: PhrasingContent): boolean {
  if (node.type === "link") return node.children.length > 0 && node.children.every(isPicture);
  return node.type === "image" || node.type === "imageReference";
}

/** Links of the paragraphs as buttons; the first one stands out. */
function toButtons(node: ContainerDirective, content: Content[]): ContainerDirective {
  let isFirst = true;
  for (const child of content) {
    if (child.type !== "paragraph") continue;
    for (const link of child.children) {
      if (link.type !== "link" && link.type !== "linkReference") continue;
      link.data = { hProperties: { className: isFirst ? ["button", "primary"] : ["button"] } };
      isFirst = false;
    }
  }
  node.data = asElement("div", ["buttons"]);
  node.children = content;
  return node;
}

function createPanel(children: Content[]): ContainerDirective {
  return { type: "containerDirective", name: "tab", data: asElement("div", ["tab"]), children };
}

function addToPanel(panel: Content | undefined, child: Content): void {
  if (panel?.type === "containerDirective") panel.children.push(child);
}

function codeLabel({ lang, meta }: Code): string {
  const info = parseCodeInfo(lang ?? null, meta ?? null);
  return info.label ?? info.title ?? info.lang;
}

function nodeText(node: PhrasingContent): string {
  if ("value" in node) return node.value;
  return "children" in node ? node.children.map(nodeText).join("") : "";
}

function textNodes(value: string): PhrasingContent[] {
  return [{ type: "text", value }];
}

/** An unknown container: its lines as text, and its content. */
function asWritten(node: ContainerDirective, { source, written }: TransformContext): RootContent[] {
  const { position } = node;
  if (position === undefined) return node.children;
  const { start, end } = position;
  const text = source.slice(start.offset, end.offset);
  const first = text.split("\n", 1)[0] ?? "";
  const last = text.slice(text.lastIndexOf("\n") + 1);
  const content = splitParts(node).content;
  const line = (value: string): RootContent => ({
    type: "paragraph",
    children: [{ type: "text", value: restored(value.trim(), written) }],
  });
  const isClosed = text.includes("\n") && /^[ \t>]*:{3,}[ \t]*$/.test(last);
  return [line(first), ...content, ...(isClosed ? [line(last)] : [])];
}

const ALERT = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\r?\n|\r|$)/i;

/** Returns the HTML element that a node becomes. */
export function asElement(
  hName: string,
  className: readonly string[],
  more: Properties = {},
): { hName: string; hProperties: Properties } {
  const properties = className.length === 0 ? {} : { className: [...className] };
  return { hName, hProperties: { ...properties, ...more } };
}

/** Content of a callout: a title, then the rest. */
function calloutChildren(
  title: readonly PhrasingContent[],
  children: readonly RootContent[],
): RootContent[] {
  const data = asElement("p", ["callout-title"]);
  return [{ type: "paragraph", data, children: [...title] }, ...children];
}

/**
 * Turns a block quote into a callout if its first line is only `[!NOTE]` or another kind, as GitHub
 * does. Returns whether it did. Not a package: those at hand draw icons that sanitising removes, and
 * take text after the marker.
 */
export function toAlert(quote: Blockquote, source: string, lang: string): boolean {
  const [first, ...others] = quote.children;
  if (first?.type !== "paragraph") return false;
  const kind = alertKind(first, source);
  const rest = kind === null ? [] : [...withoutMarker(first), ...others];
  if (kind === null || rest.length === 0) return false;
  quote.data = asElement("div", ["callout", `callout-${kind}`], { role: "note" });
  const title: PhrasingContent = { type: "text", value: translateWord(kind, lang) };
  quote.children = calloutChildren([title], rest) as Blockquote["children"];
  return true;
}

function alertKind({ children: [start, next] }: Paragraph, source: string): string | null {
  if (start?.type !== "text") return null;
  const kind = ALERT.exec(start.value)?.[1]?.toLowerCase();
  if (kind === undefined) return null;
  return /[\r\n]/.test(start.value) || endsLine(next, start, source) ? kind : null;
}

/** The paragraph after its first line; nothing when that was all of it. */
function withoutMarker({ position, children: [start, ...more] }: Paragraph): Paragraph[] {
  const text = start?.type === "text" ? start.value.replace(ALERT, "") : "";
  const rest = more[0]?.type === "break" && text === "" ? more.slice(1) : more;
  const children: PhrasingContent[] = text === "" ? rest : [{ type: "text", value: text }, ...rest];
  if (children.length === 0) return [];
  return [{ type: "paragraph", children, ...(position && { position }) }];
}

/** True when nothing but a line break follows the text on its line. */
function endsLine(
  next: PhrasingContent | undefined,
  { position }: PhrasingContent,
  source: string,
): boolean {
  if (next === undefined || next.type === "break") return true;
  const end = position?.end.offset;
  return end !== undefined && /[\r\n]/.test(source[end] ?? "");
}

/** Names of the callouts. */
const CALLOUTS: ReadonlySet<string> = new Set(
  "note tip info important warning caution danger success".split(" "),
);
const CONTAINERS = new Set([
  ...CALLOUTS,
  "details",
  "code-group",
  "tabs",
  "tab",
  "gallery",
  "buttons",
  "raw",
  "v-pre",
]);

const OPENING =
  /^((?:[ \t]|>|[*+-][ \t]|\d{1,9}[.)][ \t]){0,40})(:{3,})[ \t]*([a-z][a-z-]*)(?:[ \t]+([^\n]*?))?[ \t]*$/gim;
const ATTRIBUTES = /(?:^|(?<![ \t])[ \t]+)(\{[^{}]*\})$/;

/** True for the name of a container that is known. */
function isContainer(name: string): boolean {
  return CONTAINERS.has(name.toLowerCase());
}

/** A text whose container lines have the form `:::name[Title]{attributes}`. */
interface DirectiveSource {
  readonly source: string;
  /** The lines as written, by the new ones; to restore those that are code. */
  readonly written: ReadonlyMap<string, string>;
  /** True when the text may contain a container. */
  readonly hasAny: boolean;
}

/** Brings the lines that open a known container into the form of the generic directives proposal. */
export function toDirectives(source: string): DirectiveSource {
  const written = new Map<string, string>();
  let hasAny = /^[^\r\n]*:::[a-z-]+[[{]/im.test(source);
  const rewritten = source.replace(OPENING, (line: string, ...groups: unknown[]) => {
    const [prefix = "", colons = "", name = "", title] = groups.map((value) =>
      typeof value === "string" ? value : undefined,
    );
    if (!isContainer(name)) return line;
    hasAny = true;
    const next = `${colons}${name.toLowerCase()}${toLabel(title ?? "")}`;
    written.set(next, line.slice(prefix.length));
    return prefix + next;
  });
  return { source: rewritten, written, hasAny };
}

/** The text as it was written. */
export function restored(value: string, written: DirectiveSource["written"]): string {
  if (!value.includes(":::")) return value;
  return value.replace(/:::[^\n]*/g, (line) => written.get(line.trimEnd()) ?? line);
}

function toLabel(title: string): string {
  const attributes = ATTRIBUTES.exec(title)?.[1] ?? "";
  const label = title.slice(0, title.length - attributes.length).trim();
  return (label === "" ? "" : `[${isBalanced(label) ? label : escaped(label)}]`) + attributes;
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === "[") depth += 1;
    else if (character === "]") depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

function escaped(text: string): string {
  return text.replace(/[[\]]/g, "\\$&");
}

/** Words that rendered Markdown shows on its own, by language. */
const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  en: { toc: "Contents" },
  de: {
    note: "Hinweis",
    tip: "Tipp",
    info: "Info",
    important: "Wichtig",
    warning: "Warnung",
    caution: "Vorsicht",
    danger: "Gefahr",
    success: "Erfolg",
    toc: "Inhalt",
  },
  fr: {
    tip: "Astuce",
    warning: "Attention",
    caution: "Prudence",
    success: "Réussite",
    details: "Détails",
    toc: "Sommaire",
  },
  ar: {
    note: "ملاحظة",
    tip: "نصيحة",
    info: "معلومات",
    important: "مهم",
    warning: "تحذير",
    caution: "انتباه",
    danger: "خطر",
    success: "نجاح",
    details: "تفاصيل",
    toc: "المحتويات",
  },
};

/** The title of a callout, or another word, in a language; English where it has none. */
export function translateWord(key: string, lang: string): string {
  const word = WORDS[lang.split("-", 1)[0] ?? ""]?.[key] ?? WORDS["en"]?.[key];
  return word ?? key.slice(0, 1).toUpperCase() + key.slice(1);
}
