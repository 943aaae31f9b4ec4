/** Syntax of other systems that is left in the visible text of a page. */

/** A leftover, and what names it in a report. */
export interface Leftover {
  readonly kind: string;
  /** The text that was found. */
  readonly text: string;
}

/** Kinds by name; the first group, or the whole match, is what a report should name. */
const KINDS: Readonly<Record<string, RegExp>> = {
  "Liquid or Nunjucks tag": /\{%-?\s*\w+[^%\n]{0,200}%\}/g,
  "Liquid, Nunjucks or Vue output": /\{\{(?![<%#])[^{}\n]{1,200}\}\}/g,
  "shortcode of Hugo": /\{\{[<%][^}\n]{1,300}[%>]\}\}/g,
  "inclusion of mdBook": /\{\{#\w+[^}\n]{0,200}\}\}/g,
  "tag of Kirby": /\((?:link|image|video|file|email|tel|gist): [^()\n]{1,200}\)/g,
  "component of JSX": /<\/?[A-Z]\w{1,60}(?:\s[^<>\n]{0,200})?\/?>/g,
  "attribute of JSX": /\b(?:className=["{]|style=\{\{)/g,
  "import of a module": /^import\s[^\n]{1,200}\sfrom\s+["'][^"'\n]+["'];?\s*$/gm,
  "export of a module": /^export\s+(?:const|default|function)\b[^\n]{0,100}/gm,
  "notice of MkDocs": /^\s*(?:!!!|\?\?\?\+?)\s+\w+[^\n]{0,100}/gm,
  "block of PyMdown": /^\s*\/{3,}\s*(?:\w+[^\n]{0,100})?$/gm,
  "tab of MkDocs": /^\s*===[+!]?\s+"[^"\n]{1,100}"/gm,
  "attribute list": /\{:?\s?[.#][\w-]+[^}\n]{0,100}\}|\{:\s?[\w-]+[^}\n]{0,100}\}/g,
  icon: /(?<![\w:]):(?:material|fontawesome|octicons|simple|twemoji)-[\w-]+:/g,
  keys: /\+\+[a-z]+(?:\+[a-z]+)+\+\+/g,
  annotation: /\(\d{1,2}\)!/g,
  snippet: /-+8<-+/g,
  "inclusion of VitePress": /<!--\s*@include|^<<<\s*\S+/gm,
  "wiki link": /!?\[\[[^\]\n]{1,100}\]\]/g,
  container: /^\s*:{3,}\s*[a-z{][^\n]{0,100}|^\s*:{3,}\s*$/gm,
  "component of MDC": /^\s*::[a-z][\w-]{1,40}(?:\{[^}\n]*\})?\s*$/gm,
  "shortcode of WordPress":
    /(?<![\w\]])\[\/?(?:caption|gallery|embed|audio|video|playlist|code|php|sourcecode|vc_\w+|et_pb_\w+|contact-form[\w-]*)(?:\s[\w-]+=[^\]\n]{0,200})?\](?!\()/g,
  "insertion or mark": /\{(?:\+\+|--|==|~~|>>)[^}\n]{1,200}(?:\+\+|--|==|~~|<<)\}/g,
  "code of a file": /^\s*\{\*[^}\n]{1,200}\*\}/gm,
  "comment of JSX": /\{\/\*[^\n]{0,200}/g,
  "raw fence": /^\s*(?:`{3,}|~{3,})[^`\n]{0,100}$/gm,
  "raw link": /(?<!\\)\[[^\]\n]{1,200}\](?:\([^)\s]{1,300}\)|\[[^\]\n]{1,100}\])/g,
  "alert of GitHub": /\[!(?:NOTE|TIP|WARNING|IMPORTANT|CAUTION)\]/g,
  "notice of docsify": /^\s*[?!]> /gm,
  "front matter": /^\+{3}\s*$/gm,
  "table of contents": /^\s*\[(?:toc|TOC)\]\s*$|^\s*TOC\s*$|^\s*\[\[_?TOC_?\]\]\s*$/gm,
};

/** The leftovers of a text. */
export function leftoversOf(text: string): Leftover[] {
  return Object.entries(KINDS).flatMap(([kind, pattern]) =>
    [...text.matchAll(pattern)].map(([found]) => ({ kind, text: found.trim() })),
  );
}

/** True when a line of a report names the leftover: its kind of sign, or the name in it. */
export function isReported({ text }: Leftover, report: string): boolean {
  const name = /[A-Za-z@][\w.@-]*/.exec(text)?.[0] ?? text;
  const sign = /^[^\w\s]{2,3}/.exec(text)?.[0] ?? "";
  return (
    report.includes(text.slice(0, 40)) ||
    report.includes(`${sign} ${name}`) ||
    new RegExp(`[^\\w]${name.replaceAll(/[.-]/g, "\\$&")}[^\\w]`).test(report)
  );
}
