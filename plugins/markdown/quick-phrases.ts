import type { Emphasis, Image, InlineCode, Link, PhrasingContent, Strong } from "mdast";

/** Characters that may start a construct; text up to the next one is copied. */
const SPECIAL = /[\\`*_[\]<>&~|@!]|https?:\/\/|www\./gi;
const WORD = /[\p{L}\p{N}]/u;
const SPACE_OR_END = /^[\s]?$/;
const AFTER_CLOSER = /^[\s.,;:?!)\]"’”]?$/;
const BEFORE_OPENER = /^[\s(["‘“]?$/;
const TARGET = /\]\(([^\s()<>\\&"'*_`]+)\)/y;

/**
 * Parses simple inline Markdown: words, `code`, *emphasis*, **strong**, links and images. Null for
 * text that is more complex or ambiguous.
 */
export function parsePhrases(text: string): PhrasingContent[] | null {
  const reader = new PhraseReader(text);
  const found = reader.read("");
  return reader.isAtEnd ? found : null;
}

/** A single pass from the left that stops at anything ambiguous. */
class PhraseReader {
  readonly #text: string;
  readonly #special = new RegExp(SPECIAL);
  #at = 0;
  #isInLink = false;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  /** Parses phrases up to `end`, which it does not consume; null if that is impossible. */
  read(end: "" | "*" | "**" | "]"): PhrasingContent[] | null {
    const found: PhrasingContent[] = [];
    while (!this.isAtEnd) {
      const text = this.#words();
      if (text !== "") addText(found, text);
      if (this.isAtEnd) break;
      if (end !== "" && this.#isClosedBy(end)) return found.length === 0 ? null : found;
      const next = this.#phrase(end);
      if (next === null) return null;
      if (typeof next === "string") addText(found, next);
      else found.push(next);
    }
    return end === "" ? found : null;
  }

  #words(): string {
    this.#special.lastIndex = this.#at;
    const from = this.#at;
    this.#at = this.#special.exec(this.#text)?.index ?? this.#text.length;
    return this.#text.slice(from, this.#at);
  }

  #isClosedBy(end: string): boolean {
    if (end === "]") return this.#text[this.#at] === "]";
    const run = this.#run("*");
    const after = this.#char(this.#at + run);
    return run === end.length && WORD.test(this.#char(this.#at - 1)) && AFTER_CLOSER.test(after);
  }

  #phrase(inside: string): PhrasingContent | string | null {
    switch (this.#text[this.#at]) {
      case "`":
        return this.#code();
      case "*":
        return this.#attention(inside);
      case "[":
        return this.#link();
      case "!":
        return this.#char(this.#at + 1) === "[" ? this.#image() : this.#take(1);
      case "_":
        return this.#isWithinWord() ? this.#take(1) : null;
      case "&":
        return this.#char(this.#at + 1) === " " ? this.#take(1) : null;
      default:
        return null;
    }
  }

  #code(): InlineCode | null {
    const end = this.#text.indexOf("`", this.#at + 1);
    const value = this.#text.slice(this.#at + 1, end);
    const isPlain = end > this.#at + 1 && this.#char(end + 1) !== "`" && !/^ | $|\n/.test(value);
    if (!isPlain) return null;
    this.#at = end + 1;
    return { type: "inlineCode", value };
  }

  #attention(inside: string): Emphasis | Strong | string | null {
    const run = this.#run("*");
    const before = this.#char(this.#at - 1);
    const after = this.#char(this.#at + run);
    if (run === 1 && SPACE_OR_END.test(before) && SPACE_OR_END.test(after)) return this.#take(1);
    const isOpener = BEFORE_OPENER.test(before) && WORD.test(after) && !inside.startsWith("*");
    if (!isOpener) return null;
    if (run === 1) return this.#within("*", (children) => ({ type: "emphasis", children }));
    if (run === 2) return this.#within("**", (children) => ({ type: "strong", children }));
    return null;
  }

  #within<T>(mark: "*" | "**", make: (children: PhrasingContent[]) => T): T | null {
    this.#at += mark.length;
    const children = this.read(mark);
    this.#at += mark.length;
    return children === null ? null : make(children);
  }

  #link(): Link | null {
    if (this.#isInLink || this.#char(this.#at + 1) === "^") return null;
    this.#isInLink = true;
    this.#at += 1;
    const children = this.read("]");
    this.#isInLink = false;
    const url = children === null ? null : this.#target();
    return children === null || url === null ? null : { type: "link", title: null, url, children };
  }

  #image(): Image | null {
    this.#at += 2;
    const alt = this.#words();
    const url = alt === "" ? null : this.#target();
    return url === null ? null : { type: "image", title: null, url, alt };
  }

  /** `](address)` */
  #target(): string | null {
    TARGET.lastIndex = this.#at;
    const match = TARGET.exec(this.#text);
    if (match === null) return null;
    this.#at = TARGET.lastIndex;
    return match[1] ?? null;
  }

  #isWithinWord(): boolean {
    return WORD.test(this.#char(this.#at - 1)) && WORD.test(this.#char(this.#at + 1));
  }

  #take(count: number): string {
    this.#at += count;
    return this.#text.slice(this.#at - count, this.#at);
  }

  #run(mark: string): number {
    let end = this.#at;
    while (this.#text[end] === mark) end += 1;
    return end - this.#at;
  }

  #char(at: number): string {
    return this.#text[at] ?? "";
  }
}

function addText(found: PhrasingContent[], text: string): void {
  const last = found.at(-1);
  if (last?.type === "text") last.value += text;
  else found.push({ type: "text", value: text });
}
