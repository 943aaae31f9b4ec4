import { randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import { Fragment, h } from "preact";
import type { ComponentChildren, VNode } from "preact";
import { jsxTemplate } from "preact/jsx-runtime";
import { renderToString } from "preact-render-to-string";
import { drawWith } from "./door/open-parts.js";

/** Characters of all kept markup of a kind. */
const MOST_CHARACTERS = 4 * 1_024 * 1_024;

/** Shortest text that is worth a mark. */
const LONG = 500;

/** Markup that is kept, as text and, once somebody needs them, as bytes. */
class KeptPart {
  readonly mark: string;
  readonly text: string;
  #bytes: Buffer | null = null;

  constructor(mark: string, text: string) {
    this.mark = mark;
    this.text = text;
  }

  get bytes(): Buffer {
    return (this.#bytes ??= Buffer.from(this.text));
  }
}

/**
 * Parts of pages that are the same on many of them (header, footer) or each time a page is asked for
 * (its body): drawn and encoded once. Objects count by identity: what changes is another object, and
 * then another markup.
 */
export class KeptMarkup {
  /** Nobody outside can write a mark: it is made up anew for each theme, and never sent. */
  readonly opening = `<!--${randomBytes(16).toString("hex")}:`;
  readonly #drawn = createStore();
  readonly #texts = createStore();
  readonly #documents = new LRUCache<string, Buffer>({
    maxSize: MOST_CHARACTERS,
    sizeCalculation: (bytes, key) => bytes.length + key.length + 100,
  });
  readonly #ids = new WeakMap<object, number>();
  #lastId = 0;
  #lastPart = 0;

  /** The part of a name and its makings; `draw` is asked when it is not kept. */
  drawn(name: string, by: readonly unknown[], draw: () => string): KeptPart {
    const key = by.reduce<string>((text, part) => `${text}\n${this.#keyOf(part)}`, name);
    return this.#drawn.get(key) ?? this.#keep(this.#drawn, key, draw());
  }

  /** The part of a text. */
  text(text: string): KeptPart {
    return this.#texts.get(text) ?? this.#keep(this.#texts, text, text);
  }

  /**
   * The bytes of the document that `key` stands for; `make` is asked when they are not kept. A mark is
   * of one part for good, so that the same markup with the same marks is the same document.
   */
  document(key: string, make: () => Buffer): Buffer {
    const known = this.#documents.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.#documents.set(key, made);
    return made;
  }

  #keep(store: LRUCache<string, KeptPart>, key: string, text: string): KeptPart {
    this.#lastPart += 1;
    const part = new KeptPart(`${this.opening}${this.#lastPart}-->`, text);
    store.set(key, part);
    return part;
  }

  #keyOf(part: unknown): string {
    // A long text is looked up by itself: the hash of a string is kept with it, that of a key is not.
    if (typeof part === "string") {
      return part.length < LONG ? `${part.length}:${part}` : this.text(part).mark;
    }
    if ((typeof part !== "object" && typeof part !== "function") || part === null) {
      return String(part);
    }
    const known = this.#ids.get(part);
    if (known !== undefined) return `#${known}`;
    this.#lastId += 1;
    this.#ids.set(part, this.#lastId);
    return `#${this.#lastId}`;
  }
}

function createStore(): LRUCache<string, KeptPart> {
  return new LRUCache<string, KeptPart>({
    maxSize: MOST_CHARACTERS,
    sizeCalculation: ({ text }, key) => text.length + key.length + 100,
  });
}

/** The kept parts of one document: marks in its markup stand for them until it is put together. */
export class DocumentParts {
  readonly #kept: KeptMarkup;
  readonly #used = new Map<string, KeptPart>();

  constructor(kept: KeptMarkup) {
    this.#kept = kept;
  }

  /**
   * The markup of `draw`, which is asked once for as long as everything in `by` is the same. It is
   * drawn apart from the tree around it: without its contexts. Throws what `draw` throws.
   */
  readonly once = (name: string, by: readonly unknown[], draw: () => ComponentChildren): VNode => {
    const drawAlone = (): string =>
      this.text(drawWith(null, () => renderToString(h(Fragment, null, draw()))));
    return jsxTemplate([this.#use(this.#kept.drawn(name, by, drawAlone))]);
  };

  /** What stands for trusted markup that is the same each time; short markup for itself. */
  mark(html: string): string {
    return html.length < LONG ? html : this.#use(this.#kept.text(html));
  }

  #use(part: KeptPart): string {
    this.#used.set(part.mark, part);
    return part.mark;
  }

  /** Markup with the parts in place of their marks. */
  text(markup: string): string {
    const pieces = this.#split(markup);
    return pieces.map((piece) => (typeof piece === "string" ? piece : piece.text)).join("");
  }

  /** The bytes of what `complete` makes of a markup: the same buffer for the same `key`. */
  document(key: string, complete: () => string): Buffer {
    return this.#kept.document(key, () => this.bytes(complete()));
  }

  /** The same as bytes. */
  bytes(markup: string): Buffer {
    const pieces = this.#split(markup);
    return Buffer.concat(
      pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece) : piece.bytes)),
    );
  }

  #split(markup: string): (string | KeptPart)[] {
    const pieces: (string | KeptPart)[] = [];
    let from = 0;
    for (;;) {
      const start = markup.indexOf(this.#kept.opening, from);
      const end = start === -1 ? -1 : markup.indexOf("-->", start) + 3;
      const part = this.#used.get(markup.slice(start, end));
      if (start === -1 || part === undefined) {
        pieces.push(markup.slice(from));
        return pieces;
      }
      if (start > from) pieces.push(markup.slice(from, start));
      pieces.push(part);
      from = end;
    }
  }
}
