/** HTML as text: escaping, and rewriting of addresses. Runs in Node.js and in browsers. */

/** Attributes that contain addresses; scripts load those in `data-branch`. */
const ADDRESSES: ReadonlySet<string> = new Set([
  "href",
  "data-branch",
  "src",
  "srcset",
  "imagesrcset",
  "action",
  "formaction",
  "poster",
  "background",
  "data",
  "xlink:href",
]);
const RAW_TEXT: ReadonlySet<string> = new Set(["script", "style"]);
/** Leaves out `&amp;` before what would be an entity: `&amp;copy;` is the text `&copy;`. */
const ENTITY =
  /&(?:(?:amp|#38|#x26);(?!#?\w+;)|(?:quot|#34|#x22|apos|#39|#x27|lt|#60|#x3c|gt|#62|#x3e);)/gi;
/** One candidate of a `srcset`: what separates it from the one before, the address, and its size. */
const CANDIDATE = /([\s,]*)([^\s,](?:\S*[^\s,])?)(,+(?=\s|$)|[^,]*)/gy;
const DECODED: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&#38;": "&",
  "&#x26;": "&",
  "&quot;": '"',
  "&#34;": '"',
  "&#x22;": '"',
  "&apos;": "'",
  "&#39;": "'",
  "&#x27;": "'",
  "&lt;": "<",
  "&#60;": "<",
  "&#x3c;": "<",
  "&gt;": ">",
  "&#62;": ">",
  "&#x3e;": ">",
};

/** The place of a value in a document. */
interface HtmlAttribute {
  /** The name of the element. */
  tag: string;
  attribute: string;
  /** The attribute `rel` of the element; empty without one. */
  rel: string;
}

/** Callbacks for the parts of a document. */
interface HtmlVisitor {
  /** Returns the new value of an attribute that contains an address; null leaves it unchanged. */
  address(value: string, at: HtmlAttribute): string | null;
  /** Returns CSS of a `style` element or attribute with new addresses. */
  css?(text: string): string;
  /** A script or style in the document, whose nonce is removed; without it nonces stay. */
  inline?(tag: string, text: string): void;
  /** Returns true to remove an element with this attribute and its contents (scripts only). */
  drops?(attributes: string): boolean;
}

/** Rewrites a document tag by tag; text, comments, scripts and styles stay unchanged. */
export function rewriteHtml(html: string, visitor: HtmlVisitor): string {
  return new Rewriter(html, visitor).run();
}

function unquoted(value: string): string {
  return decodeEntities(/^["']/.test(value) ? value.slice(1, -1) : value);
}

function decodeEntities(text: string): string {
  return text.includes("&")
    ? text.replace(ENTITY, (entity) => DECODED[entity.toLowerCase()] ?? entity)
    : text;
}

/** Escapes text for a double-quoted attribute; entities in it stay. */
export function encodeAttribute(text: string): string {
  return text.replace(/&(?!#?\w+;)/g, "&amp;").replace(/"/g, "&quot;");
}

/**
 * The value of a `srcset` with other addresses; null when none changes. `take` returns null for an address
 * that stays. White space and sizes stay as they are.
 */
export function rewriteSrcset(
  value: string,
  take: (address: string) => string | null,
): string | null {
  const next = value.replace(
    CANDIDATE,
    (_all, gap: string, address: string, size: string) => gap + (take(address) ?? address) + size,
  );
  return next === value ? null : next;
}

class Rewriter {
  readonly #html: string;
  readonly #visitor: HtmlVisitor;
  readonly #parts: string[] = [];
  #done = 0;

  constructor(html: string, visitor: HtmlVisitor) {
    this.#html = html;
    this.#visitor = visitor;
  }

  run(): string {
    const html = this.#html;
    for (let at = html.indexOf("<"); at !== -1; at = html.indexOf("<", at)) {
      if (html.startsWith("<!--", at)) at = findEnd(html, "-->", at);
      else if (isLetter(html.charCodeAt(at + 1))) at = this.#tag(at);
      else at += 1;
    }
    return this.#done === 0 ? html : this.#parts.join("") + html.slice(this.#done);
  }

  /** Handles a start tag, and all of a raw-text element; returns the end position. */
  #tag(at: number): number {
    const html = this.#html;
    const end = tagEnd(html, at);
    const source = html.slice(at, end);
    const tag = /^<([a-z][^\s/>]*)/i.exec(source)?.[1]?.toLowerCase() ?? "";
    const isRaw = RAW_TEXT.has(tag);
    const close = isRaw ? closingTag(html, tag, end) : end;
    if (isRaw && this.#visitor.drops?.(source) === true) {
      this.#replace(at, findEnd(html, ">", close), "");
      return findEnd(html, ">", close);
    }
    const next = this.#attributes(source, tag, html.slice(end, close));
    if (next !== source) this.#replace(at, end, next);
    if (tag === "style") this.#style(end, close);
    return close;
  }

  #style(from: number, to: number): void {
    const text = this.#html.slice(from, to);
    const next = this.#visitor.css?.(text) ?? text;
    if (next !== text) this.#replace(from, to, next);
  }

  #attributes(source: string, tag: string, contents: string): string {
    if (!source.includes("=")) return source;
    const rel = /\brel\s*=\s*"([^"]*)"/i.exec(source)?.[1] ?? "";
    const isRefresh = tag === "meta" && REFRESH.test(source);
    return source.replace(
      ATTRIBUTE,
      (all: string, space?: string, name?: string, value?: string) => {
        const attribute = (name ?? "").toLowerCase();
        if (attribute === "nonce" && this.#visitor.inline !== undefined) {
          if (contents !== "") this.#visitor.inline(tag, contents);
          return "";
        }
        if (attribute === "content" && !isRefresh) return all;
        const next = this.#valueOf(unquoted(value ?? ""), { tag, attribute, rel });
        return next === null ? all : `${space}${name}="${encodeAttribute(next)}"`;
      },
    );
  }

  /** The new value of an attribute; null leaves it unchanged. `content` is that of a refresh. */
  #valueOf(value: string, at: HtmlAttribute): string | null {
    const { tag, attribute } = at;
    if (attribute === "content") return this.#refresh(value, at);
    if (attribute === "style") {
      const style = this.#visitor.css?.(value) ?? value;
      return style === value ? null : style;
    }
    if (!ADDRESSES.has(attribute) || (attribute === "data" && tag !== "object")) return null;
    return this.#visitor.address(value, at);
  }

  /** `0; url=/moved`: the address of a redirect in the document. */
  #refresh(value: string, at: HtmlAttribute): string | null {
    const [, start = "", address = ""] =
      /^(\s*[\d.]+\s*[;,]\s*url\s*=\s*)(.*)$/is.exec(value) ?? [];
    const next = address === "" ? null : this.#visitor.address(address, at);
    return next === null ? null : start + next;
  }

  #replace(from: number, to: number, text: string): void {
    this.#parts.push(this.#html.slice(this.#done, from), text);
    this.#done = to;
  }
}

const REFRESH = /\bhttp-equiv\s*=\s*["']?refresh\b/i;
const ATTRIBUTE = /(\s+)([^\s"'<>/=]+)\s*=\s*("[^"]*"|'[^']*'|[^\s"'=<>`]+)/g;

/** Position after the `>` that ends a start tag; quoted values may contain one. */
function tagEnd(html: string, at: number): number {
  for (let end = at + 1; end < html.length; end += 1) {
    const code = html.charCodeAt(end);
    if (code === 0x3e) return end + 1;
    // A quote only counts at the start of a value.
    if ((code === 0x22 || code === 0x27) && html.charCodeAt(end - 1) === 0x3d) {
      const close = html.indexOf(code === 0x22 ? '"' : "'", end + 1);
      if (close === -1) return html.length;
      end = close;
    }
  }
  return html.length;
}

function closingTag(html: string, tag: string, from: number): number {
  const close = `</${tag}`;
  const end = html.indexOf(close, from);
  if (end !== -1) return end;
  const upper = html.indexOf(close.toUpperCase(), from);
  return upper === -1 ? html.length : upper;
}

function findEnd(html: string, mark: string, from: number): number {
  const end = html.indexOf(mark, from);
  return end === -1 ? html.length : end + mark.length;
}

function isLetter(code: number): boolean {
  const lower = code | 32;
  return lower >= 97 && lower <= 122;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as HTML, in elements and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
