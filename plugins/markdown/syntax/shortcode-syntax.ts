import type { Nodes, Paragraph, PhrasingContent, Root } from "mdast";
import type { Processor, Data } from "unified";

type Code = number | null;

const [OPEN, CLOSE, BACKSLASH] = [0x7b, 0x7d, 0x5c] as const;
const QUOTES: readonly Code[] = [0x22, 0x27];
const LETTER = /[A-Za-z0-9_-]/;

/** Most characters of a shortcode. */
const MAX_LENGTH = 1_000;
/** Unclosed ones in a body, after which no more are looked for: each costs up to the maximum length. */
const MAX_UNCLOSED = 200;

/**
 * Parses `{{ name … }}` of the given names as one node of inline HTML: real HTML starts with `<`. Code
 * and `\{{` are not shortcodes, and everything between the braces is not Markdown.
 */
export function shortcodeSyntax(this: Processor, names: readonly string[]): void {
  addTextConstruct(this, OPEN, { name: "shortcode", tokenize: tokenizerOf(new Set(names)) });
}

function tokenizerOf(names: ReadonlySet<string>): Construct["tokenize"] {
  let unclosed = 0;
  return (effects, ok, nok) => {
    const fail: State = (code) => {
      unclosed += 1;
      return nok(code);
    };
    let name = "";
    let length = 0;
    let quote: Code = null;
    const start: State = (code) => {
      effects.enter("htmlText");
      effects.enter("htmlTextData");
      effects.consume(code);
      return second;
    };
    const second: State = (code) => {
      if (code !== OPEN || unclosed > MAX_UNCLOSED) return nok(code);
      effects.consume(code);
      return before;
    };
    const before: State = (code) => (isSpace(code) ? take(code, before) : named(code));
    const named: State = (code) => {
      const letter = code !== null && code > 0 ? String.fromCharCode(code) : "";
      if (!LETTER.test(letter)) return names.has(name) ? inside(code) : nok(code);
      name += letter;
      return take(code, named);
    };
    const inside: State = (code) => {
      length += 1;
      if (code === null || code < -2 || length > MAX_LENGTH) return fail(code);
      if (code === CLOSE && quote === null) return take(code, last);
      if (code === BACKSLASH && quote !== null) return take(code, escaped);
      if (QUOTES.includes(code)) quote = quoteAfter(quote, code);
      return take(code, inside);
    };
    const escaped: State = (code) => (code === null || code < -2 ? fail(code) : take(code, inside));
    const last: State = (code) => {
      if (code !== CLOSE) return inside(code);
      effects.consume(code);
      effects.exit("htmlTextData");
      effects.exit("htmlText");
      return ok;
    };
    const take = (code: Code, next: State): State => {
      effects.consume(code);
      return next;
    };
    return start;
  };
}

/** The open quote after a quotation mark. */
function quoteAfter(quote: Code, mark: Code): Code {
  if (quote === null) return mark;
  return quote === mark ? null : quote;
}

function isSpace(code: Code): boolean {
  return code === 0x20 || code === -1 || code === -2;
}

/** A place that a shortcode fills. */
export interface Mark {
  /** The text as written; the address of a bare one. */
  readonly source: string;
  /** Line in the body. */
  readonly line: number;
}

/**
 * Gives each shortcode a class of its own in the tree, `<token>-<index>`, and returns the shortcodes by
 * index; with `addresses` also each paragraph that is just an address.
 */
export function markShortcodes(tree: Root, token: string, addresses: boolean): readonly Mark[] {
  const marks: Mark[] = [];
  const mark = (source: string, line = 1): { hProperties: { className: string[] } } => {
    marks.push({ source, line });
    return { hProperties: { className: [`${token}-${marks.length - 1}`] } };
  };
  const visit = (node: Nodes): void => {
    if (!("children" in node)) return;
    for (const [index, child] of node.children.entries()) {
      const line = child.position?.start.line;
      const address = addresses && child.type === "paragraph" ? addressOf(child) : null;
      if (child.type === "html" && child.value.startsWith("{{")) {
        const data = { hName: "span", ...mark(child.value, line) };
        node.children[index] = { type: "emphasis", children: [], data };
      } else if (address !== null && child.type === "paragraph") {
        child.data = mark(address, line);
      } else visit(child);
    }
  };
  visit(tree);
  return marks;
}

function addressOf({ children }: Paragraph): string | null {
  const [link, ...others] = children.filter((child) => !isBlank(child));
  if (link?.type !== "link" || others.length > 0 || link.title) return null;
  const [text] = link.children;
  const isBare = link.children.length === 1 && text?.type === "text" && text.value === link.url;
  return isBare && /^https?:\/\//i.test(link.url) ? link.url : null;
}

function isBlank(node: PhrasingContent): boolean {
  return node.type === "text" && node.value.trim() === "";
}

// Markdown and HTML parsers replace this character, so no reference of an author starts with it.
const START = "\0";

/** The key of a shortcode among the references of a body. */
export function markKey({ source, line }: Mark): string {
  return `${START}${line} ${source}`;
}

/** True for the key of a shortcode. */
export function isMarkKey(reference: string): boolean {
  return reference.startsWith(START);
}

/** The shortcode of a key. */
export function toMark(key: string): Mark {
  const space = key.indexOf(" ");
  return { line: Number(key.slice(START.length, space)), source: key.slice(space + 1) };
}

/** An extension of the parser. */
export type Extension = NonNullable<Data["micromarkExtensions"]>[number];
type Constructs = NonNullable<NonNullable<Extension["text"]>[string]>;
/** A tokenizer of a piece of text. */
export type Construct = Extract<Constructs, { tokenize: unknown }>;
/** Takes one character and returns what takes the next one. */
export type State = Parameters<Construct["tokenize"]>[1];

/** Adds a construct that begins with the character `code`, before those that are there. */
export function addTextConstruct(processor: Processor, code: number, construct: Construct): void {
  const data = processor.data();
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), { text: { [code]: construct } }];
}
