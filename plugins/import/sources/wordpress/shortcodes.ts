/** Shortcodes of WordPress as HTML; those without a counterpart stay as text. */
import { escapeHtml } from "#kernel";

/** What shortcodes may refer to. */
export interface ShortcodeContext {
  /** Ids of the images that were uploaded to the page. */
  readonly ownImages: readonly string[];
}
interface Shortcode {
  readonly attributes: Readonly<Record<string, string>>;
  readonly inner: string;
}

const CAPTION = /\[(wp_caption|caption)\b([^\]]*)\]((?:(?!\[\/\1\])[^])*)\[\/\1\]/g;
const CODE =
  /\[(sourcecode|code|php|css|js|html|bash|python)\b([^\]]*)\]((?:(?!\[\/\1\])[^])*)\[\/\1\]/g;
const EMBED = /\[(embed|youtube|vimeo)\b([^\]]*)\](?:([^[]*)\[\/\1\])?/g;
const PLAYER = /\[(video|audio)\b([^\]]*)\](?:\s*\[\/\1\])?/g;
const GALLERY = /\[gallery\b([^\]]*)\]/g;
const OTHER = /\[([a-z][\w-]{1,60})((?:\s[^\]]{0,2000})?)\/?\]/gi;
const ATTRIBUTE = /([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))|(https?:\/\/\S+)/g;
const SOURCES = ["src", "mp4", "m4v", "webm", "ogv", "mp3", "m4a", "ogg", "wav"];

/** HTML for the shortcodes of a text, and the names of those that stay. */
export function expandShortcodes(
  text: string,
  { ownImages }: ShortcodeContext,
): { html: string; kept: readonly string[] } {
  const html = text
    .replaceAll(CODE, (_, ...[name = "", given = "", inner = ""]: string[]) =>
      code(name, toShortcode(given, inner)),
    )
    .replaceAll(CAPTION, (_, ...[, given = "", inner = ""]: string[]) =>
      caption(toShortcode(given, inner)),
    )
    .replaceAll(EMBED, (_, ...[, given = "", inner = ""]: string[]) =>
      embed(toShortcode(given, inner)),
    )
    .replaceAll(PLAYER, (whole: string, name: string, given: string) =>
      player(whole, name, toShortcode(given, "")),
    )
    .replaceAll(GALLERY, (_, given: string) => gallery(toShortcode(given, ""), ownImages));
  return { html, kept: keptNames(html) };
}

function toShortcode(given: string, inner: string): Shortcode {
  const attributes: Record<string, string> = {};
  for (const [, name, double, single, bare, address] of given.matchAll(ATTRIBUTE)) {
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

function code(name: string, { attributes, inner }: Shortcode): string {
  const own = ["sourcecode", "code"].includes(name) ? "" : name;
  const language = attributes["language"] ?? attributes["lang"] ?? own;
  const text = /&(?:lt|gt|amp);/.test(inner) ? inner : escapeHtml(inner);
  const kind = /^[\w+#-]+$/.test(language) ? ` class="language-${language}"` : "";
  return `\n\n<pre><code${kind}>${text.replace(/^\n/, "")}</code></pre>\n\n`;
}

function embed({ attributes, inner }: Shortcode): string {
  const address = (inner.trim() || attributes["src"]) ?? attributes["url"] ?? "";
  return /^https?:\/\/\S+$/.test(address) ? siteAddress(address) : "";
}

/** An address on a line of its own. */
export function siteAddress(address: string): string {
  return `\n\n<site-address>${escapeHtml(address)}</site-address>\n\n`;
}

function player(whole: string, name: string, { attributes }: Shortcode): string {
  const source = SOURCES.map((key) => attributes[key]).find((one) => one !== undefined);
  if (source === undefined) return whole;
  return `\n\n<${name} src="${escapeHtml(source)}"></${name}>\n\n`;
}

function gallery({ attributes }: Shortcode, ownImages: readonly string[]): string {
  const given = (attributes["ids"] ?? attributes["include"] ?? "")
    .split(",")
    .map((id) => id.trim());
  const ids = given.some((id) => id !== "") ? given : ownImages;
  const images = ids
    .filter((id) => /^\d+$/.test(id))
    .map((id) => `<p><img src="id:${id}" alt=""></p>`);
  return `\n\n${images.join("\n")}\n\n`;
}

/** Names in brackets that look like shortcodes: with values, or with an end. */
function keptNames(html: string): string[] {
  const names = new Set<string>();
  const outside = html.replaceAll(/<(pre|code)\b[^>]*>[^]*?<\/\1>/gi, "");
  for (const [, name = "", given = ""] of outside.matchAll(OTHER)) {
    if (given.includes("=") || outside.includes(`[/${name}]`)) names.add(name);
  }
  return [...names];
}
