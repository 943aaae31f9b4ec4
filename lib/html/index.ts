/** HTML as text: escaping, and rewriting of addresses. Runs in Node.js and in browsers. */
export { escapeHtml } from "./escape-html.js";
export { encodeAttribute, rewriteHtml, rewriteSrcset } from "./html-scanner.js";
