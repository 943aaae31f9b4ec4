/** Containers: callouts, details, tabs and code groups. */
import type { BlockContent, Code, DefinitionContent, PhrasingContent, RootContent } from "mdast";
import type { ContainerDirective } from "mdast-util-directive";
import { asElement, calloutChildren } from "./callouts.js";
import { parseCodeInfo } from "./code-info.js";
import { CALLOUTS, isContainer, restored } from "./directive-lines.js";
import type { TransformContext } from "./transform-context.js";
import { wordOf } from "./words.js";

type Content = BlockContent | DefinitionContent;

/** Gives a container its HTML; returns the nodes that replace it. */
export function toContainer(node: ContainerDirective, context: TransformContext): RootContent[] {
  const name = node.name.toLowerCase();
  const { label, content } = partsOf(node);
  if (!isContainer(name)) return asWritten(node, context);
  if (CALLOUTS.has(name)) {
    const title = label ?? textNodes(wordOf(name, context.lang));
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
  return content;
}

interface ContainerParts {
  label: PhrasingContent[] | null;
  content: Content[];
}

function partsOf({ children }: ContainerDirective): ContainerParts {
  const [first, ...others] = children;
  const isLabel = first?.type === "paragraph" && first.data?.directiveLabel === true;
  return isLabel
    ? { label: first.children, content: others }
    : { label: null, content: [...children] };
}

function toDetails(
  node: ContainerDirective,
  { label, content }: ContainerParts,
  { lang }: TransformContext,
): ContainerDirective {
  const isOpen = node.attributes?.["open"] !== undefined;
  node.data = asElement("details", ["callout", "callout-details"], isOpen ? { open: true } : {});
  const title = label ?? textNodes(wordOf("details", lang));
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
      const { label, content: children } = partsOf(child);
      tabs.push({ label: plainLabel(label), node: panelOf(children) });
    } else if (child.type === "code") {
      tabs.push({ label: codeLabel(child), node: panelOf([child]) });
    } else appendTo(tabs.at(-1)?.node, child);
  }
  const labels = tabs.map(({ label }, at) => label || String(at + 1));
  node.data = asElement("div", [parts.add({ kind: "tabs", labels })]);
  node.children = tabs.map((tab) => tab.node);
  return node;
}

function panelOf(children: Content[]): ContainerDirective {
  return { type: "containerDirective", name: "tab", data: asElement("div", ["tab"]), children };
}

function appendTo(panel: Content | undefined, child: Content): void {
  if (panel?.type === "containerDirective") panel.children.push(child);
}

function codeLabel({ lang, meta }: Code): string {
  const info = parseCodeInfo(lang ?? null, meta ?? null);
  return info.label ?? info.title ?? info.lang;
}

function plainLabel(label: PhrasingContent[] | null): string {
  return (label ?? []).map(textIn).join("").trim();
}

function textIn(node: PhrasingContent): string {
  if ("value" in node) return node.value;
  return "children" in node ? node.children.map(textIn).join("") : "";
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
  const content = partsOf(node).content;
  const line = (value: string): RootContent => ({
    type: "paragraph",
    children: [{ type: "text", value: restored(value.trim(), written) }],
  });
  const isClosed = text.includes("\n") && /^[ \t>]*:{3,}[ \t]*$/.test(last);
  return [line(first), ...content, ...(isClosed ? [line(last)] : [])];
}
