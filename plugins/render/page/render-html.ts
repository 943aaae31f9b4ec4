import { h, type ComponentType, type VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { escapeHtml } from "#kernel";
import { sha256 } from "#lib/secrets";
import type { PageEntry } from "../../content/contract.js";
import type { TemplateProps, DocumentOptions } from "../contract.js";
import { renderFailure } from "../errors.js";
import { drawWith } from "../theme-api/drawing.js";
import type { RenderContext, Scope } from "./render-context.js";
import type { DocumentParts } from "./markup-cache.js";

/** A template, its props and its page. */
export interface RenderTask {
  template: string;
  props: TemplateProps;
  page: PageEntry | null;
}

/** A document. */
export interface RenderedDocument {
  html: string | Buffer;
  /** False when it contains the nonce of this request. */
  isShareable: boolean;
}

/**
 * A whole document from a template of the theme; fires onBeforeRender and onAfterRender.
 * @throws ERR_TEMPLATE_LOAD, ERR_TEMPLATE_INVALID, ERR_TEMPLATE_RENDER.
 */
export async function renderHtml(
  context: RenderContext,
  scope: Scope,
  task: RenderTask,
): Promise<RenderedDocument> {
  const { hooks } = context.site;
  const { req } = scope;
  const before = await hooks.transform("onBeforeRender", { req, ...task });
  try {
    return await finish(context, scope, before, await draw(scope, before));
  } catch (error) {
    if (before.template === task.template && before.props === task.props) throw error;
    // Handlers chose another template, or changed its props.
    const markup = await draw(scope, task);
    hooks.reject("onBeforeRender", error);
    return finish(context, scope, task, markup);
  }
}

async function finish(
  context: RenderContext,
  { req, parts }: Scope,
  { page, props }: RenderTask,
  markup: string,
): Promise<RenderedDocument> {
  const { hooks } = context.site;
  const { head, lang, dir } = props;
  const isShareable = !req.ctx.hasNonce;
  const complete = (): string => completeMarked(markup, { head, lang, dir }, parts);
  if (hooks.has("onAfterRender")) {
    const whole = parts.text(complete());
    const { html } = await hooks.transform("onAfterRender", { req, page, html: whole });
    return { html, isShareable };
  }
  if (!isShareable) return { html: parts.bytes(complete()), isShareable };
  const key = `${lang} ${dir} ${head.length} ${head}${markup}`;
  return { html: parts.document(key, complete), isShareable };
}

async function draw({ theme, parts }: Scope, { template, props }: RenderTask): Promise<string> {
  const component = await theme.templates.get(template);
  if (component === null) {
    const named = JSON.stringify(template);
    throw renderFailure("ERR_TEMPLATE_INVALID", `no template is named ${named}`);
  }
  try {
    return await renderComponent(component, props, parts);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw renderFailure("ERR_TEMPLATE_RENDER", `template ${JSON.stringify(template)}: ${reason}`, {
      cause,
    });
  }
}

/** Parts of a document that a layout may omit. */
interface AddedMarkup {
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

/** Props of `Settled`. */
interface SettledProps {
  /** The result of an asynchronous component. */
  output: unknown;
}

function Settled({ output }: SettledProps): VNode | null {
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

/** Address of the built-in stylesheet, for documents without an inline style. */
export const DOCUMENT_STYLE_PATH = "/_site/document.css";

/** The built-in style: for pages without a template in any theme. */
export const DOCUMENT_STYLE = `:root{color-scheme:light dark;--ink:#1c1b22;--dim:#5b5968;--line:#dcdae2;--paper:#fff;--link:#4338ca}
@media(prefers-color-scheme:dark){:root{--ink:#ecebf2;--dim:#aaa7b8;--line:#3a3847;--paper:#15141b;--link:#a5b4fc}}
*{box-sizing:border-box}body{margin:0;font:1.0625rem/1.65 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
main{max-width:42rem;margin:0 auto;padding:clamp(2rem,8vh,6rem) 1.25rem}h1{line-height:1.15;letter-spacing:-.02em;text-wrap:balance}
a{color:var(--link);text-underline-offset:.15em}img{max-width:100%;height:auto}pre{overflow:auto;padding:1rem;border:1px solid var(--line);border-radius:.5rem}
input,button{font:inherit;padding:.55rem .9rem;border:1px solid var(--line);border-radius:.5rem;background:transparent;color:inherit}
button{background:var(--ink);color:var(--paper);cursor:pointer}:focus-visible{outline:3px solid var(--link);outline-offset:2px}
li{margin:.35rem 0}small,.dim{color:var(--dim)}mark{background:#fde68a;color:#1c1b22}`;

const VERSION = sha256(DOCUMENT_STYLE).slice(0, 10);

/** A whole HTML document in the built-in style. */
export function renderDocument(options: DocumentOptions): string {
  const { title, body, nonce, lang = "en", head = "" } = options;
  const style =
    nonce === undefined
      ? `<link rel="stylesheet" href="${DOCUMENT_STYLE_PATH}?v=${VERSION}">`
      : `<style nonce="${escapeHtml(nonce)}">${DOCUMENT_STYLE}</style>`;
  return [
    `<!doctype html><html lang="${escapeHtml(lang)}"><head><meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width, initial-scale=1">`,
    `<title>${escapeHtml(title)}</title>${style}${head}</head><body><main>${body}</main></body></html>`,
  ].join("");
}
