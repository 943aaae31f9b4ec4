import { randomBytes } from "node:crypto";
import type { Caches, CacheSpace } from "#kernel";
import { unpooled } from "#lib/cache";
import { Fragment, h, type ComponentChildren, type VNode } from "preact";
import { jsxTemplate } from "preact/jsx-runtime";
import { renderToString } from "preact-render-to-string";
import { drawWith, type Drawing, type PictureMarkup } from "../theme-api/drawing.js";

/** Maximum bytes of all cached markup of a kind, by language. */
const MAX_BYTES = 4 * 1_024 * 1_024;

/** Minimum length of text that gets a mark. */
const LONG = 500;

/** The state of each image of a part when it was rendered, by address. */
type SeenPictures = ReadonlyMap<string, string>;

/** Cached markup: as text and, once needed, as bytes. */
class MarkupPart {
  readonly mark: string;
  readonly text: string;
  readonly pictures: SeenPictures;
  #bytes: Buffer | null = null;

  constructor(mark: string, text: string, pictures: SeenPictures) {
    this.mark = mark;
    this.text = text;
    this.pictures = pictures;
  }

  get bytes(): Buffer {
    return (this.#bytes ??= unpooled(Buffer.from(this.text)));
  }
}

/** A rendered part. */
interface DrawnPart {
  readonly text: string;
  readonly pictures: SeenPictures;
}
/** Renders a part, and compares its images with those at the last time. */
interface PartSource {
  draw(): DrawnPart;
  isCurrent(pictures: SeenPictures): boolean;
}

/**
 * Parts of pages that are the same on many of them (header, footer) or on each request for a page
 * (its body): rendered and encoded once. Objects are compared by identity: a changed object is a
 * new one, and gets new markup.
 */
export class MarkupCache {
  /** Content cannot contain a mark: it is random and never sent. */
  readonly opening = `<!--${randomBytes(16).toString("hex")}:`;
  readonly #drawn: CacheSpace<MarkupPart>;
  readonly #texts: CacheSpace<MarkupPart>;
  readonly #documents: CacheSpace<Buffer>;
  // Not in site.cache: the numbers represent the objects in keys.
  readonly #ids = new WeakMap<object, number>();
  #lastId = 0;
  #lastPart = 0;

  constructor(caches: Pick<Caches, "open">) {
    const limits = { maxBytes: MAX_BYTES, untagged: true };
    const countBytes = ({ text }: MarkupPart): number => text.length;
    this.#drawn = caches.open("markup-parts", { ...limits, sizeOf: countBytes });
    this.#texts = caches.open("markup-texts", { ...limits, sizeOf: countBytes });
    this.#documents = caches.open("documents", { ...limits, sizeOf: ({ length }) => length });
  }

  /** The part for a name and its inputs; calls `draw` when it is not cached or its images changed. */
  drawn(name: string, by: readonly unknown[], { draw, isCurrent }: PartSource): MarkupPart {
    const key = by.reduce<string>((text, part) => `${text}\n${this.#keyOf(part)}`, name);
    const cached = this.#drawn.peek(key);
    if (cached !== undefined && isCurrent(cached.pictures)) return cached;
    const { text, pictures } = draw();
    return this.#store(this.#drawn, key, { text, pictures });
  }

  /** The part of a text. */
  text(text: string): MarkupPart {
    const cached = this.#texts.peek(text);
    return cached ?? this.#store(this.#texts, text, { text, pictures: new Map() });
  }

  /**
   * The bytes of the document with this `key`; calls `encode` when they are not cached. A mark
   * always represents the same part, so equal markup with equal marks is the same document.
   */
  document(key: string, encode: () => Buffer): Buffer {
    const cached = this.#documents.peek(key);
    if (cached !== undefined) return cached;
    const bytes = unpooled(encode());
    this.#documents.set(key, bytes);
    return bytes;
  }

  #store(store: CacheSpace<MarkupPart>, key: string, { text, pictures }: DrawnPart): MarkupPart {
    this.#lastPart += 1;
    const part = new MarkupPart(`${this.opening}${this.#lastPart}-->`, text, pictures);
    store.set(key, part);
    return part;
  }

  #keyOf(part: unknown): string {
    // A long text is looked up by itself: a string caches its hash, but a composed key does not.
    if (typeof part === "string") {
      return part.length < LONG ? `${part.length}:${part}` : this.text(part).mark;
    }
    if ((typeof part !== "object" && typeof part !== "function") || part === null) {
      return String(part);
    }
    const id = this.#ids.get(part);
    if (id !== undefined) return `#${id}`;
    this.#lastId += 1;
    this.#ids.set(part, this.#lastId);
    return `#${this.#lastId}`;
  }
}

/** The cached parts of one document: marks in its markup represent them until it is assembled. */
export class DocumentParts implements Drawing {
  readonly #markup: MarkupCache;
  readonly #scope: object;
  /** As in `Drawing`. */
  readonly pictureOf: Drawing["pictureOf"];
  readonly #used = new Map<string, MarkupPart>();
  /** Images of the parts that are being rendered; those inside others come last. */
  readonly #drawing: Map<string, string>[] = [];

  readonly timezone: string;

  /** `scope`: separates parts with the same name. */
  constructor(
    markup: MarkupCache,
    scope: object,
    { pictureOf, timezone }: Partial<Pick<Drawing, "pictureOf" | "timezone">> = {},
  ) {
    this.#markup = markup;
    this.#scope = scope;
    this.pictureOf = pictureOf ?? (() => null);
    this.timezone = timezone ?? "UTC";
  }

  /**
   * The markup of `draw`, which is called once while everything in `by` and the formats of its images
   * are the same. It is rendered apart from the tree around it, without its contexts.
   * @throws the errors of `draw`.
   */
  readonly once = (name: string, by: readonly unknown[], draw: () => ComponentChildren): VNode => {
    const part = this.#markup.drawn(name, [this.#scope, ...by], {
      draw: () => this.#drawAlone(draw),
      isCurrent: (pictures) => this.#isCurrent(pictures),
    });
    return jsxTemplate([this.#use(part)]);
  };

  /** The mark for trusted markup that is the same each time; short markup is returned unchanged. */
  mark(html: string): string {
    return html.length < LONG ? html : this.#use(this.#markup.text(html));
  }

  #drawAlone(draw: () => ComponentChildren): DrawnPart {
    const pictures = new Map<string, string>();
    this.#drawing.push(pictures);
    try {
      const parts = {
        mark: (html: string) => html,
        pictureOf: (src: string) => this.#see(src),
        timezone: this.timezone,
      };
      const markup = drawWith(parts, () => renderToString(h(Fragment, null, draw())));
      return { text: this.text(markup), pictures };
    } finally {
      this.#drawing.pop();
    }
  }

  /** Looks at every image: the document depends on each of them. */
  #isCurrent(pictures: SeenPictures): boolean {
    if (pictures.size === 0) return true;
    const states = Array.from(pictures, ([src, state]) => pictureState(this.#see(src)) === state);
    return states.every((isSame) => isSame);
  }

  #see(src: string): PictureMarkup | null {
    const picture = this.pictureOf(src);
    for (const pictures of this.#drawing) pictures.set(src, pictureState(picture));
    return picture;
  }

  #use(part: MarkupPart): string {
    this.#used.set(part.mark, part);
    return part.mark;
  }

  /** Replaces the marks in markup with their parts. */
  text(markup: string): string {
    const pieces = this.#split(markup);
    return pieces.map((piece) => (typeof piece === "string" ? piece : piece.text)).join("");
  }

  /** The bytes of the markup that `complete` returns: the same buffer for the same `key`. */
  document(key: string, complete: () => string): Buffer {
    return this.#markup.document(key, () => this.bytes(complete()));
  }

  /** The assembled markup as bytes. */
  bytes(markup: string): Buffer {
    const pieces = this.#split(markup);
    return Buffer.concat(
      pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece) : piece.bytes)),
    );
  }

  #split(markup: string): (string | MarkupPart)[] {
    const pieces: (string | MarkupPart)[] = [];
    let from = 0;
    for (;;) {
      const start = markup.indexOf(this.#markup.opening, from);
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

function pictureState(parts: PictureMarkup | null): string {
  return JSON.stringify(parts);
}
