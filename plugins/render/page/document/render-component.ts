import { h } from "preact";
import type { ComponentType, VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { escapeHtml } from "#kernel";
import { drawWith } from "../../theme-api/open-parts.js";
import type { DocumentParts } from "../markup-cache.js";

/** Parts of a document that a layout may omit. */
export interface AddedMarkup {
  head: string;
  lang: string;
  dir: "ltr" | "rtl";
}

const HEAD_END = "</head>";
const START = /^\s*(?:<!doctype[^>]*>\s*)?<html\b([^>]*)>/i;

/**
 * The markup of a template; its top component may be asynchronous.
 * @throws the errors of the template.
 */
export async function renderComponent(
  component: ComponentType<Record<string, unknown>>,
  props: Record<string, unknown>,
  parts: DocumentParts | null = null,
): Promise<string> {
  const draw = <P>(node: VNode<P>): string => drawWith(parts, () => renderToString(node));
  if (isClass(component)) return draw(h(component, props));
  const pending: Promise<unknown>[] = [];
  // Called during rendering, so that hooks work in a synchronous top component.
  const Top = (): VNode | null => {
    const output: unknown = Reflect.apply(component, undefined, [props]);
    if (output instanceof Promise) {
      pending.push(output);
      return null;
    }
    return toNode(output);
  };
  const html = draw(h(Top, null));
  if (pending.length === 0) return html;
  const [output] = await Promise.all(pending);
  return draw(h(Settled, { output }));
}

/**
 * The document for markup with marks, as in `completeDocument`. Scans all of the head when a part
 * contains its start or end.
 */
export function completeMarked(markup: string, added: AddedMarkup, parts: DocumentParts): string {
  const end = markup.indexOf(HEAD_END);
  const opening = markup.slice(0, end === -1 ? 0 : end + HEAD_END.length);
  const shown = parts.text(opening);
  const isPlain = shown.indexOf(HEAD_END) === shown.length - HEAD_END.length;
  if (!isPlain || !START.test(opening)) return completeDocument(parts.text(markup), added);
  const head = shown.includes(added.head) ? "" : added.head;
  return completeDocument(opening, { ...added, head }) + markup.slice(opening.length);
}

/**
 * A whole document: adds doctype, the collected head, language and direction if the layout lacks
 * them. Only scans the text before the body, because the rest may quote markup in attributes.
 */
export function completeDocument(html: string, added: AddedMarkup): string {
  const start = START.exec(html);
  if (start === null) return `<!doctype html>${html}`;
  const attributes = start[1] ?? "";
  const lang = /\blang\s*=/i.test(attributes) ? "" : ` lang="${escapeHtml(added.lang)}"`;
  const dir = added.dir === "ltr" || /\bdir\s*=/i.test(attributes) ? "" : ` dir="rtl"`;
  const rest = html.slice(start[0].length);
  return `<!doctype html><html${attributes}${lang}${dir}>${insertHead(rest, added.head)}`;
}

function insertHead(html: string, head: string): string {
  const end = html.indexOf(HEAD_END);
  if (head === "" || end === -1 || html.slice(0, end).includes(head)) return html;
  return html.slice(0, end) + head + html.slice(end);
}

function Settled({ output }: { output: unknown }): VNode | null {
  return toNode(output);
}

function toNode(output: unknown): VNode | null {
  return isNode(output)
    ? output
    : output === null || output === undefined
      ? null
      : h("div", null, String(output));
}

function isNode(value: unknown): value is VNode {
  return typeof value === "object" && value !== null && "type" in value && "props" in value;
}

function isClass(component: ComponentType<Record<string, unknown>>): boolean {
  const prototype: unknown = component.prototype;
  return typeof prototype === "object" && prototype !== null && "render" in prototype;
}
