import { escapeHtml } from "#kernel";
import { sha256 } from "#lib/secrets";
import type { DocumentOptions } from "../contract.js";

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
