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

/** What the report of an import calls a kind. */
const REPORTED: Readonly<Record<string, RegExp>> = {
  "Liquid or Nunjucks tag": /template tag/,
  "Liquid, Nunjucks or Vue output": /template output/,
  "shortcode of Hugo": /shortcode of Hugo/,
  "inclusion of mdBook": /include \{\{#include/,
  "tag of Kirby": /tag of Kirby/,
  "component of JSX": /component <|custom element/,
  "attribute of JSX": /JSX attribute/,
  "import of a module": /import of MDX/,
  "export of a module": /export of MDX/,
  "notice of MkDocs": /notice !!!|details \?\?\?/,
  "block of PyMdown": /block \/\/\//,
  "tab of MkDocs": /tab ===/,
  "attribute list": /attribute list|template comment/,
  icon: /icon/,
  keys: /keys/,
  annotation: /annotation/,
  snippet: /snippet/,
  "inclusion of VitePress": /include <!--|snippet <<</,
  "wiki link": /wiki link|embed/,
  container: /container/,
  "component of MDC": /component ::name/,
  "shortcode of WordPress": /shortcode \[name\]/,
  "insertion or mark": /edit mark/,
  "code of a file": /include \{\*/,
  "comment of JSX": /JSX comment/,
  "alert of GitHub": /alert of another name/,
  "notice of docsify": /notice \?>/,
  "table of contents": /table of contents/,
};

/** True when the report counts such a kind among its leftovers, or a line of it names the leftover. */
export function isReported({ kind, text }: Leftover, report: string): boolean {
  const counted = /"leftovers":(\[.*?\]),"lostLinks"/s.exec(report)?.[1] ?? "";
  if (REPORTED[kind]?.test(counted) === true) return true;
  const name = /[A-Za-z@][\w.@-]*/.exec(text)?.[0] ?? text;
  const sign = /^[^\w\s]{2,3}/.exec(text)?.[0] ?? "";
  return report.includes(text.slice(0, 40)) || report.includes(`${sign} ${name}`);
}
