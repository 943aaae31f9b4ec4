import { parseFragment, type DefaultTreeAdapterTypes } from "parse5";

type Node = DefaultTreeAdapterTypes.ChildNode;

const ELEMENTS = new Set(
  (
    "p br hr div span section aside blockquote pre wbr h1 h2 h3 h4 h5 h6 ul ol li dl dt dd strong b em i u s " +
    "del ins mark sub sup small q cite code kbd samp var abbr time dfn bdi bdo ruby rt rp details summary a " +
    "input img picture source figure figcaption video audio track table caption colgroup col thead tbody tfoot tr th td"
  ).split(" "),
);
const ADDRESSES = new Set([
  "href",
  "src",
  "poster",
  "cite",
  "action",
  "formaction",
  "data",
  "background",
  "xlink:href",
]);
const SCHEMES = new Set(["http:", "https:", "mailto:", "tel:"]);
const BASE = "https://base.example/";

/** Finds HTML that is dangerous in a browser, in the tree of an HTML5 parser. */
export function dangersIn(html: string): string[] {
  const dangers: string[] = [];
  const waiting: Node[] = [...parseFragment(html).childNodes];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.nodeName === "#comment" || node.nodeName === "#documentType")
      dangers.push(node.nodeName);
    if (!("tagName" in node)) continue;
    if (!ELEMENTS.has(node.tagName)) dangers.push(`<${node.tagName}>`);
    for (const { name, value } of node.attrs) {
      const danger = dangerOf(node.tagName, name, value);
      if (danger !== null) dangers.push(danger);
    }
    waiting.push(...node.childNodes);
  }
  return dangers;
}

function dangerOf(tag: string, name: string, value: string): string | null {
  if (/^on/i.test(name) || name === "style" || name === "srcdoc") return `${tag}[${name}]`;
  if (name === "name" && !value.startsWith("user-content-")) return `${tag}[name=${value}]`;
  if (name === "id" && value in Object.prototype) return `${tag}[id=${value}]`;
  if (tag === "input" && name === "type" && value !== "checkbox") return `input[type=${value}]`;
  const urls =
    name === "srcset" ? value.split(",").map((part) => part.trim().split(/\s/)[0] ?? "") : [value];
  if (name !== "srcset" && !ADDRESSES.has(name)) return null;
  const bad = urls.find((url) => !SCHEMES.has(schemeOf(url)));
  return bad === undefined ? null : `${tag}[${name}=${bad}]`;
}

function schemeOf(url: string): string {
  return URL.canParse(url, BASE) ? new URL(url, BASE).protocol : "https:";
}
