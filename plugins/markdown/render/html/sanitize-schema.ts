import type { Options as Schema } from "rehype-sanitize";

/** Prefix of ids and names that come from authors (DOM clobbering). */
export const ID_PREFIX = "user-content-";

const WEB = ["http", "https"];
const LINK = [...WEB, "mailto", "tel"];

const TAGS = [
  ...["p", "br", "hr", "div", "span", "section", "aside", "blockquote", "pre", "wbr"],
  ...["h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "dl", "dt", "dd"],
  ...["strong", "b", "em", "i", "u", "s", "del", "ins", "mark", "sub", "sup", "small"],
  ...["q", "cite", "code", "kbd", "samp", "var", "abbr", "time", "dfn", "bdi", "bdo"],
  ...["ruby", "rt", "rp", "details", "summary", "a", "input"],
  ...["img", "picture", "source", "figure", "figcaption", "video", "audio", "track"],
  ...["table", "caption", "colgroup", "col", "thead", "tbody", "tfoot", "tr", "th", "td"],
];

// Removed with their content: scripts, embeds, and every element that browsers parse by other rules
// than HTML, the root of mutation XSS.
const REMOVED = [
  ...["script", "style", "iframe", "object", "embed", "applet", "form", "svg", "math"],
  ...["template", "noscript", "noembed", "noframes", "frameset", "xmp", "plaintext"],
  ...["title", "textarea", "select", "button", "head", "base", "link", "meta"],
];

const CELL = ["colSpan", "rowSpan", "headers", "scope", "align", "abbr"];
const PLAYER = ["src", "controls", "loop", "muted", "preload"];

/** Allowlist for rendered HTML. A separate step prefixes ids. */
export const sanitizeSchema: Schema = {
  tagNames: TAGS,
  strip: REMOVED,
  clobber: [],
  allowComments: false,
  allowDoctypes: false,
  attributes: {
    "*": ["className", "id", "title", "lang", "dir", "role", "ariaLabel", "ariaHidden"],
    a: [
      ...["href", "name", "rel", "hrefLang", "download"],
      ["target", "_blank", "_self"],
      ...["ariaDescribedBy", "ariaLabelledBy", "dataFootnoteRef", "dataFootnoteBackref"],
    ],
    section: ["dataFootnotes"],
    h2: ["ariaLabelledBy"],
    img: [
      ...["src", "srcSet", "sizes", "alt", "width", "height"],
      ["loading", "lazy", "eager"],
      ["decoding", "async", "sync", "auto"],
    ],
    source: ["src", "srcSet", "sizes", "media", "type", "width", "height"],
    video: [...PLAYER, "poster", "width", "height", "playsInline"],
    audio: PLAYER,
    track: ["src", "kind", "srcLang", "label", "default"],
    input: [["type", "checkbox"], ["disabled", true], "checked"],
    ol: ["start", "reversed", "type"],
    li: ["value"],
    q: ["cite"],
    blockquote: ["cite"],
    del: ["cite", "dateTime"],
    ins: ["cite", "dateTime"],
    time: ["dateTime"],
    details: ["open"],
    table: ["align"],
    col: ["span", "align"],
    colgroup: ["span", "align"],
    td: CELL,
    th: CELL,
    p: ["align"],
    div: ["align"],
  },
  required: { input: { type: "checkbox", disabled: true } },
  ancestors: {
    caption: ["table"],
    col: ["table"],
    colgroup: ["table"],
    thead: ["table"],
    tbody: ["table"],
    tfoot: ["table"],
    tr: ["table"],
    td: ["table"],
    th: ["table"],
  },
  protocols: {
    href: LINK,
    src: WEB,
    poster: WEB,
    cite: WEB,
  },
};
