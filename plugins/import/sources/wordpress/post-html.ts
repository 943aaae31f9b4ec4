/** The content of a WordPress post as HTML: without block comments and shortcodes, with paragraphs. */
import { finderIn, replaceMarks, withoutTags } from "#lib/text";
import { escapeHtml } from "#kernel";

const BLOCK =
  "address|article|aside|blockquote|center|details|dd|div|dl|dt|figcaption|figure|footer|form|h[1-6]|header|hr|iframe|li|main|nav|ol|p|pre|section|table|tbody|td|tfoot|th|thead|tr|ul|video|audio|site-address";
const HAS_BLOCK = new RegExp(`</?(?:${BLOCK})\\b`, "i");
/** Their texts are paragraphs. */
const CONTAINER = /<\/?(?:blockquote|div|section|article|aside|center|details|main)\b/gi;
const LEAF = "h[1-6]|ul|ol|dl|table|p|hr|form|figure|address|site-address";
const LEAF_START = new RegExp(`<(?:${LEAF})\\b`, "gi");
const LEAF_END = new RegExp(`</(?:${LEAF})>`, "gi");
const RULE = /<hr\b/gi;
const PROTECTED = /<(pre|script|style|textarea)\b/gi;
const COMMENT = /<!--\s*(?:\/?wp:|more)/g;
const FIGURE = /<figure\b/gi;
const EMBEDDED = /<div\b[^<>]*>\s*https?:\/\/[^\s<]+\s*<\/div>/gi;
const BARE_ADDRESS = /^\s*(https?:\/\/[^\s<>"]+)\s*$/;

/** True for content of the block editor. */
export function hasBlocks(content: string): boolean {
  return content.includes("<!-- wp:");
}

/** Removes the comments of the block editor; embeds become their address. */
export function withoutBlocks(content: string): string {
  const addressed = replaceMarks(content, FIGURE, ({ index }, find) => {
    const head = find(">", index);
    const kind = find(/\bwp-block-embed\b/g, index);
    if (head === null || kind === null || kind.end > head.start) return null;
    const end = find(/<\/figure>/gi, head.end);
    const embedded = find(EMBEDDED, head.end);
    if (end === null || embedded === null || embedded.end > end.start) return null;
    const address = withoutTags(content.slice(embedded.start, embedded.end)).trim();
    return { text: siteAddress(address.replaceAll("&amp;", "&")), end: end.end };
  });
  const broken = addressed.replaceAll(/<!--\s*nextpage\s*-->/g, "\n\n");
  return replaceMarks(broken, COMMENT, ({ index, 0: head }, find) => {
    const close = find("-->", index);
    if (close === null) return null;
    if (head.endsWith("more")) return { text: "\n\n", end: close.end };
    return { text: "", end: broken[close.end] === "\n" ? close.end + 1 : close.end };
  });
}

/** Paragraphs for the empty lines of the classic editor, line breaks for the others. */
export function withParagraphs(content: string): string {
  let result = "";
  let done = 0;
  const text = content.replaceAll("\r\n", "\n");
  const find = finderIn(text);
  for (const { index, 1: tag = "" } of text.matchAll(PROTECTED)) {
    if (index < done) continue;
    const close = find(new RegExp(`</${tag}>`, "gi"), index);
    const end = close?.end ?? text.length;
    result += paragraphs(text.slice(done, index)) + text.slice(index, end);
    done = end;
  }
  return result + paragraphs(text.slice(done));
}

function paragraphs(text: string): string {
  const contained = replaceMarks(text, CONTAINER, ({ index }, find) => {
    const close = find(">", index);
    return close && { text: `\n\n${text.slice(index, close.end)}\n\n`, end: close.end };
  });
  const started = contained.replaceAll(LEAF_START, "\n\n$&").replaceAll(LEAF_END, "$&\n\n");
  const ruled = replaceMarks(started, RULE, ({ index }, find) => {
    const close = find(">", index);
    return close && { text: `${started.slice(index, close.end)}\n\n`, end: close.end };
  });
  return ruled
    .split(/\n\s*\n/)
    .map((part) => paragraph(part))
    .join("\n\n");
}

function paragraph(part: string): string {
  const address = BARE_ADDRESS.exec(part)?.[1];
  if (address !== undefined) return siteAddress(address);
  if (part.trim() === "" || HAS_BLOCK.test(part)) return part;
  return `<p>${part.trim().replaceAll(/(?<!<br ?\/?>)\n/gi, "<br>\n")}</p>`;
}

interface Shortcode {
  readonly attributes: Readonly<Record<string, string>>;
  readonly inner: string;
}

/** Shortcodes whose content is code: those of highlighters, and languages by their names. */
const CODE =
  /\[(sourcecode|source|code|crayon|enlighter|prettify|geshi|terminal|console|cci?[nw]?b?|codeblock|code-block|code-snippet|snippet|syntax|syntaxhighlighter|highlight|as3|bash|shell|sh|c|cpp|csharp|clojure|css|delphi|diff|patch|elixir|erlang|fsharp|go|groovy|haskell|html|ini|java|javascript|js|json|jsx|kotlin|latex|lua|matlab|nginx|objc|pascal|perl|php|plain|powershell|ps|python|py|r|ruby|rust|sass|scala|scss|sql|swift|tsx|typescript|vb|xml|yaml)(?=[\s\]])/g;
/** Shortcodes of code whose name is no language. */
const HIGHLIGHTERS =
  /^(?:sourcecode|source|code|crayon|enlighter|prettify|geshi|terminal|console|cc|code-?block|code-snippet|snippet|syntax|syntaxhighlighter|highlight|plain)/;
/** The same names mark words in a text. */
const MARKS: ReadonlySet<string> = new Set(["highlight", "source", "snippet", "c", "r", "go"]);
const CAPTION = /\[(wp_caption|caption)\b/g;
const EMBED = /\[(embed|youtube|vimeo)\b/g;
const PLAYER = /\[(video|audio)\b/g;
const GALLERY = /\[gallery\b/g;
const OTHER = /\[([a-z][\w-]{1,60})(?=\s|\/?\])/gi;
const ENDING = /\[\/([a-z][\w-]{1,60})\]/gi;
const ATTRIBUTE = /(?<![\w-])([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))|(https?:\/\/\S+)/g;
const SOURCES = ["src", "mp4", "m4v", "webm", "ogv", "mp3", "m4a", "ogg", "wav"];

/** HTML for the shortcodes of a text, and the names of those that have no counterpart and stay. */
export function expandShortcodes(
  text: string,
  ownImages: readonly string[] | null,
): { html: string; kept: readonly string[] } {
  let html = text;
  html = replaceShortcodes(html, CODE, "required", (one, name, whole) => code(name, one, whole));
  html = replaceShortcodes(html, CAPTION, "required", (one) => caption(one));
  html = replaceShortcodes(html, EMBED, "optional", (one) => embed(one));
  html = replaceShortcodes(html, PLAYER, "optional", (one, name, whole) =>
    player(whole, name, one),
  );
  if (ownImages !== null)
    html = replaceShortcodes(html, GALLERY, "none", (one) => gallery(one, ownImages));
  const galleries = html.search(GALLERY) === -1 ? [] : ["gallery"];
  return { html, kept: [...new Set([...galleries, ...keptNames(html)])] };
}

/** Says whether a shortcode has content and an end, `[name]…[/name]`; optional content has no bracket. */
type Ending = "required" | "optional" | "none";
type Replace = (shortcode: Shortcode, name: string, whole: string) => string;

function replaceShortcodes(
  text: string,
  opening: RegExp,
  ending: Ending,
  replace: Replace,
): string {
  return replaceMarks(text, opening, (match, find) => {
    const [head, name = ""] = match;
    const close = `[/${name}]`;
    // Without it the head is not looked at.
    const content = ending === "required" ? find(close, match.index) : null;
    if (ending === "required" && content === null) return null;
    const bracket = find("]", match.index);
    if (bracket === null) return null;
    const args = text.slice(match.index + head.length, bracket.start);
    const stop = ending === "required" ? find(close, bracket.end) : find("[", bracket.end);
    const isClosed = ending !== "none" && stop !== null && text.startsWith(close, stop.start);
    if (ending === "required" && !isClosed) return null;
    const inner = isClosed ? text.slice(bracket.end, stop.start) : "";
    const end = isClosed ? stop.start + close.length : bracket.end;
    return { text: replace(toShortcode(args, inner), name, text.slice(match.index, end)), end };
  });
}

function toShortcode(args: string, inner: string): Shortcode {
  const attributes: Record<string, string> = {};
  for (const [, name, double, single, bare, address] of args.matchAll(ATTRIBUTE)) {
    if (address !== undefined) attributes["src"] ??= address;
    else if (name !== undefined) attributes[name.toLowerCase()] = double ?? single ?? bare ?? "";
  }
  return { attributes, inner };
}

/** The image, and the text after it or in `caption`. */
function caption({ attributes, inner }: Shortcode): string {
  const [, image = "", rest = ""] =
    /^\s*((?:<a\b[^>]*>\s*)?<img\b[^>]*>(?:\s*<\/a>)?)([^]*)$/i.exec(inner) ?? [];
  if (image === "") return inner;
  const label =
    attributes["caption"] === undefined ? rest.trim() : escapeHtml(attributes["caption"]);
  return `\n\n<figure>${image}<figcaption>${label}</figcaption></figure>\n\n`;
}

function code(name: string, { attributes, inner }: Shortcode, whole: string): string {
  const written = attributes["language"] ?? attributes["lang"];
  if (MARKS.has(name) && written === undefined && !inner.includes("\n")) return whole;
  const language = written ?? (HIGHLIGHTERS.test(name) || name.startsWith("cc") ? "" : name);
  const text = /&(?:lt|gt|amp);/.test(inner) ? inner : escapeHtml(inner);
  const kind = /^[\w+#-]+$/.test(language) ? ` class="language-${language}"` : "";
  return `\n\n<pre><code${kind}>${text.replace(/^\n/, "")}</code></pre>\n\n`;
}

function embed({ attributes, inner }: Shortcode): string {
  const address = (inner.trim() || attributes["src"]) ?? attributes["url"] ?? "";
  return /^https?:\/\/\S+$/.test(address) ? siteAddress(address) : "";
}

/** An address on a line of its own. */
function siteAddress(address: string): string {
  return `\n\n<site-address>${escapeHtml(address)}</site-address>\n\n`;
}

function player(whole: string, name: string, { attributes }: Shortcode): string {
  const source = SOURCES.map((key) => attributes[key]).find((one) => one !== undefined);
  if (source === undefined) return whole;
  return `\n\n<${name} src="${escapeHtml(source)}"></${name}>\n\n`;
}

function gallery({ attributes }: Shortcode, ownImages: readonly string[]): string {
  const list = (attributes["ids"] ?? attributes["include"] ?? "").split(",").map((id) => id.trim());
  const ids = list.some((id) => id !== "") ? list : ownImages;
  const images = ids
    .filter((id) => /^\d+$/.test(id))
    .map((id) => `<p><img src="id:${id}" alt=""></p>`);
  return `\n\n<div class="wp-block-gallery">${images.join("\n")}</div>\n\n`;
}

/** Names in brackets that look like shortcodes: with values, or with an end. */
function keptNames(html: string): string[] {
  const names = new Set<string>();
  const outside = replaceMarks(html, /<(pre|code)\b/gi, ({ index, 1: tag = "" }, find) => {
    const end = find(new RegExp(`</${tag}>`, "gi"), index);
    return end === null ? null : { text: "", end: end.end };
  });
  const closed = new Set([...outside.matchAll(ENDING)].map(([, name]) => name));
  replaceMarks(outside, OTHER, ({ index, 0: head, 1: name = "" }, find) => {
    const bracket = find("]", index);
    if (bracket === null) return null;
    const args = outside.slice(index + head.length, bracket.start);
    if (args.includes("=") || closed.has(name)) names.add(name);
    return { text: "", end: bracket.end };
  });
  return [...names];
}
