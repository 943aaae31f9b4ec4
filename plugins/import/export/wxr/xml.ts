/** Text that is safe in XML. */
import { escapeHtml } from "#kernel";

/** Characters that XML 1.0 does not allow, and halves of surrogate pairs. */
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu;

/** A CDATA section. */
export function cdata(text: string): string {
  return `<![CDATA[${allowed(text).replaceAll("]]>", "]]]]><![CDATA[>")}]]>`;
}

/** Text or attribute value of XML. */
export function xmlText(text: string): string {
  return escapeHtml(allowed(text));
}

/** An element with a text; empty for an empty one. */
export function element(name: string, text: string | number | null): string {
  if (text === null || text === "") return "";
  return `<${name}>${typeof text === "number" ? text : cdata(text)}</${name}>\n`;
}

function allowed(text: string): string {
  return text.replaceAll(FORBIDDEN, "");
}
