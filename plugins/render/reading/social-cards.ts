import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import type { Request, Response } from "express";
import { escapeHtml, HttpError } from "#kernel";
import type { CacheSpace } from "#kernel";
import type { PageEntry } from "../../content/contract.js";
import type { RenderContext } from "../page/render-context.js";
import { directionOf } from "../theme/strings.js";
import { CARD, CARD_TEXT, cardBackground } from "./card-svg.js";

/** Beginning of the addresses of cards. */
export const CARDS = "/_site/cards";
const FOREVER = "public, max-age=31536000, immutable";
const AN_HOUR = "public, max-age=3600, must-revalidate";
const MAX_BYTES = 16 * 1_024 * 1_024;
const MAX_TITLE = 140;
/** Changes with the design of cards. */
const DESIGN = 1;
// The scripts that the bundled font has; others need fonts of the machine.
const COVERED =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]/gu;

/** The texts of a card. */
interface CardTexts {
  title: string;
  site: string;
  dir: "ltr" | "rtl";
}

/** Generates the preview pictures of pages without one of their own: their title, as PNG. */
export class SocialCards {
  readonly #context: Pick<RenderContext, "site" | "content">;
  readonly #cards: CacheSpace<Buffer>;

  constructor(context: Pick<RenderContext, "site" | "content">) {
    this.#context = context;
    this.#cards = context.site.cache.open<Buffer>("social-cards", {
      maxBytes: MAX_BYTES,
      sizeOf: ({ length }) => length,
      untagged: true,
    });
  }

  /** The address of a page's card. It contains a digest of its texts. */
  addressOf(entry: PageEntry): string {
    const { url } = entry;
    return `${CARDS}${url === "/" ? "/index" : url}.png?v=${digestOf(this.#textsOf(entry))}`;
  }

  /** Serves the card of the page that the address names, if the visitor may see it. */
  async send(req: Request, res: Response): Promise<void> {
    const { site, content } = this.#context;
    const [, path = ""] = /^\/_site\/cards(\/.+)\.png$/s.exec(req.ctx.path) ?? [];
    const view = content.view(req.ctx.state.viewer);
    const match = view.resolve(path === "/index" ? "/" : path);
    if (match.kind !== "page") throw new HttpError(404, "not found");
    const texts = this.#textsOf(match.entry);
    const digest = digestOf(texts);
    const isExact = new URLSearchParams(req.ctx.search).get("v") === digest;
    const isPublic = match.entry.roles === null && !view.personal;
    site.http.send(req, res, {
      type: "image/png",
      body: await this.#cards.get(digest, () => drawCard(texts)),
      headers: isPublic ? { "Cache-Control": isExact ? FOREVER : AN_HOUR } : {},
      cache: { private: !isPublic },
    });
  }

  #textsOf({ title, lang }: PageEntry): CardTexts {
    const short = Array.from(title).slice(0, MAX_TITLE).join("");
    return { title: short, site: this.#context.site.settings.site.title, dir: directionOf(lang) };
  }
}

function digestOf(texts: CardTexts): string {
  return createHash("sha256")
    .update(JSON.stringify([DESIGN, texts]))
    .digest("hex")
    .slice(0, 12);
}

async function drawCard({ title, site, dir }: CardTexts): Promise<Buffer> {
  const { default: sharp } = await import("sharp");
  const { margin, titleTop, titleHeight, siteTop } = CARD_TEXT;
  const width = CARD.width - 2 * margin;
  const colours = { paper: "#10201c", accent: "#62d2b1" };
  const parts: { text: string; top: number; colour: string; height: number; weight: string }[] = [
    { text: site, top: siteTop, colour: colours.accent, height: 44, weight: "Bold 30" },
    { text: title, top: titleTop, colour: "#f4f2ec", height: titleHeight, weight: "Bold 64" },
  ];
  const layers = [];
  for (const { text, top, colour, height, weight } of parts) {
    if (text === "" || !(await canDraw(text))) continue;
    const input = await drawText(text, { width, height, colour, weight });
    const { width: own = 0 } = await sharp(input).metadata();
    layers.push({ input, top, left: dir === "rtl" ? CARD.width - margin - own : margin });
  }
  return sharp(cardBackground(colours))
    .composite(layers)
    .png({ palette: true, compressionLevel: 9 })
    .toBuffer();
}

interface TextStyle {
  width: number;
  height: number;
  colour: string;
  /** Style and size in Pango's words. */
  weight: string;
}

/** A text in at most `height`: at its size, or smaller when it has too many lines. */
async function drawText(
  text: string,
  { width, height, colour, weight }: TextStyle,
): Promise<Buffer> {
  const { default: sharp } = await import("sharp");
  const markup = `<span foreground="${colour}">${escapeHtml(text)}</span>`;
  const options = {
    text: markup,
    fontfile: fontFile(),
    rgba: true,
    width,
    wrap: "word-char",
  } as const;
  const first = sharp({ text: { ...options, font: `Inter ${weight}` } }).png();
  const { data, info } = await first.toBuffer({ resolveWithObject: true });
  if (info.height <= height && info.width <= width) return data;
  return sharp(data).resize({ width, height, fit: "inside" }).png().toBuffer();
}

/** A font for machines without any, such as slim containers. */
function fontFile(): string {
  const require = createRequire(import.meta.url);
  return require.resolve("@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf");
}

/**
 * True when the fonts of the machine have the letters of a text: Pango draws a framed box for others. A
 * letter counts as missing when all four edges of its picture are inked.
 */
async function canDraw(text: string): Promise<boolean> {
  const others = Array.from(new Set(Array.from(text.replace(COVERED, "")))).slice(0, 3);
  for (const letter of others) if (!(await isBox(letter))) return true;
  return others.length === 0;
}

async function isBox(letter: string): Promise<boolean> {
  const { default: sharp } = await import("sharp");
  const { data, info } = await sharp({
    text: { text: escapeHtml(letter), fontfile: fontFile(), font: "Inter Bold 40", rgba: true },
  })
    .extractChannel("alpha")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const isInked = (x: number, y: number): boolean => (data[y * width + x] ?? 0) > 96;
  const isRow = (y: number): boolean => share(width, (x) => isInked(x, y)) > 0.9;
  const isColumn = (x: number): boolean => share(height, (y) => isInked(x, y)) > 0.9;
  const edge = [0, 1, 2];
  return (
    edge.some((at) => isRow(at)) &&
    edge.some((at) => isRow(height - 1 - at)) &&
    edge.some((at) => isColumn(at)) &&
    edge.some((at) => isColumn(width - 1 - at))
  );
}

function share(count: number, is: (at: number) => boolean): number {
  let found = 0;
  for (let at = 0; at < count; at += 1) found += is(at) ? 1 : 0;
  return found / Math.max(1, count);
}
