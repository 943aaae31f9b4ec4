/** HTML as text: escaping, and rewriting of addresses. Runs in Node.js and in browsers. */
export { encodeAttribute, escapeHtml, rewriteHtml, rewriteSrcset } from "./html.js";
