/** `[[Page]]` and `[[Page|text]]` in a body. */
import { normalizeIdentifier } from "micromark-util-normalize-identifier";
import type { Processor } from "unified";
import { addTextConstruct, type Construct, type State } from "./text-construct.js";

const [OPEN, CLOSE, PAREN, COLON] = [0x5b, 0x5d, 0x28, 0x3a] as const;
const MAX_LENGTH = 300;
/** Unclosed ones in a body, after which no more are looked for. */
const MAX_UNCLOSED = 200;
const TOC = /^_?toc_?$/i;

/** A wiki link as written. */
export interface WikiName {
  /** Title, slug or file name of a page; empty for a heading of this page. */
  readonly page: string;
  /** A heading of the page. */
  readonly heading: string;
  readonly text: string;
}

/**
 * Parses wiki links as one node of inline HTML: real HTML starts with `<`. Links and references of
 * CommonMark win: `[[a]](/b)`, `[[a]][b]`, and `[[a]]` where `[a]` is defined.
 */
export function wikiLinkSyntax(this: Processor): void {
  addTextConstruct(this, OPEN, { name: "wikiLink", tokenize: tokenizerOf() });
}

function tokenizerOf(): Construct["tokenize"] {
  let unclosed = 0;
  return function tokenize(effects, ok, nok) {
    const { parser, previous } = this;
    let text = "";
    const fail: State = (code) => {
      unclosed += 1;
      return nok(code);
    };
    const start: State = (code) => {
      effects.enter("htmlText");
      effects.enter("htmlTextData");
      effects.consume(code);
      return second;
    };
    const second: State = (code) => {
      // `![[…]]` and `[[[…]]]` are something else.
      if (code !== OPEN || unclosed > MAX_UNCLOSED || previous === OPEN) return nok(code);
      effects.consume(code);
      return inside;
    };
    const inside: State = (code) => {
      if (code === null || code < 0 || code === OPEN || text.length > MAX_LENGTH) return fail(code);
      effects.consume(code);
      if (code === CLOSE) return last;
      text += String.fromCharCode(code);
      return inside;
    };
    const last: State = (code) => {
      if (code !== CLOSE || !isName(text)) return fail(code);
      effects.consume(code);
      effects.exit("htmlTextData");
      effects.exit("htmlText");
      return after;
    };
    const after: State = (code) => {
      const isOther = code === PAREN || code === OPEN || code === COLON || code === CLOSE;
      const isDefined = parser.defined.includes(normalizeIdentifier(text));
      return isOther || isDefined ? nok(code) : ok(code);
    };
    return start;
  };
}

function isName(text: string): boolean {
  return text !== "" && text.trim() === text && /[\p{L}\p{N}]/u.test(text) && !TOC.test(text);
}

/** Takes `[[Page#Heading|text]]` apart. */
export function parseWikiLink(source: string): WikiName {
  const inner = source.slice(2, -2);
  const bar = inner.indexOf("|");
  const name = (bar === -1 ? inner : inner.slice(0, bar)).trim();
  const mark = name.indexOf("#");
  const page = (mark === -1 ? name : name.slice(0, mark)).trim();
  const heading = mark === -1 ? "" : name.slice(mark + 1).trim();
  const written = bar === -1 ? "" : inner.slice(bar + 1).trim();
  return { page, heading, text: written || (page === "" ? heading : name) };
}

// Markdown and HTML parsers replace this character, so no reference of an author starts with it.
const START = "\0[[";

/** The key of a wiki link among the references of a body. */
export function wikiKey(line: number, name: string): string {
  return `${START}${line} ${name}`;
}

/** True for the key of a wiki link. */
export function isWikiKey(reference: string): boolean {
  return reference.startsWith(START);
}

/** Line and name of a key. */
export function fromWikiKey(key: string): { line: number; name: string } {
  const space = key.indexOf(" ");
  return { line: Number(key.slice(START.length, space)), name: key.slice(space + 1) };
}
