import { escapeHtml } from "#kernel";
import { runningFile } from "#lib/packages";

// The scripts that the bundled font has; others need fonts of the machine.
const COVERED =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]/gu;

/** Fast compression suits a picture that is read again at once. */
const QUICK = { compressionLevel: 1 } as const;

/** The texts of a card. */
export interface CardTexts {
  title: string;
  site: string;
  dir: "ltr" | "rtl";
}

/** The card of a page as PNG. */
export async function drawCard({ title, site, dir }: CardTexts): Promise<Buffer> {
  const { default: sharp } = await import("sharp");
  const { margin, titleTop, titleHeight, siteTop } = CARD_TEXT;
  const width = CARD.width - 2 * margin;
  const colours = { paper: "#10201c", accent: "#62d2b1" };
  const parts: { text: string; top: number; colour: string; height: number; weight: string }[] = [
    { text: site, top: siteTop, colour: colours.accent, height: 44, weight: "Bold 30" },
    { text: title, top: titleTop, colour: "#f4f2ec", height: titleHeight, weight: "Bold 64" },
  ];
  const layers = decorations(colours);
  for (const { text, top, colour, height, weight } of parts) {
    if (text === "" || !(await canDraw(text))) continue;
    const input = await drawText(text, { width, height, colour, weight });
    const { width: textWidth } = await sharp(input).metadata();
    layers.push({ input, top, left: dir === "rtl" ? CARD.width - margin - textWidth : margin });
  }
  // Without a palette, and not at the highest level: these take most of the time and save some KB.
  const background = { ...CARD, channels: 3, background: colours.paper } as const;
  return sharp({ create: background })
    .composite(layers)
    .removeAlpha()
    .png({ compressionLevel: 4 })
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
  const first = sharp({ text: { ...options, font: `Inter ${weight}` } }).png(QUICK);
  const { data, info } = await first.toBuffer({ resolveWithObject: true });
  if (info.height <= height && info.width <= width) return data;
  return sharp(data).resize({ width, height, fit: "inside" }).png(QUICK).toBuffer();
}

/** A font for machines without any, such as slim containers; scripts/card-font.mjs makes it. */
function fontFile(): string {
  return runningFile("plugins/render/assets/inter-bold.ttf");
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
  let matching = 0;
  for (let at = 0; at < count; at += 1) matching += is(at) ? 1 : 0;
  return matching / Math.max(1, count);
}

/** Size of a card, as the services that show previews want it. */
const CARD = { width: 1200, height: 630 } as const;
/** Positions of the texts on a card, in pixels. */
const CARD_TEXT = { margin: 84, titleTop: 196, titleHeight: 268, siteTop: 84 } as const;

/** Size of the pattern of lines. */
const LINES = { width: 298, height: 134 };

/** Colours of a card. */
interface CardColours {
  paper: string;
  accent: string;
}

/**
 * What a card shows below its texts: a band of the accent colour and a faint pattern of lines, like a page. Each part
 * is drawn at its own size: drawing the whole area takes as long as all the rest.
 */
function decorations({ accent }: CardColours): { input: Buffer; top: number; left: number }[] {
  const lines = [0.62, 0.5, 0.56, 0.4].map((part, at) => {
    const width = 300 * part * 1.6;
    return `<rect x="${LINES.width - width}" y="${at * 40}" width="${width}" height="14" rx="7"/>`;
  });
  const svg = ({ width, height }: typeof LINES, shapes: string): Buffer =>
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><g fill="${escapeHtml(accent)}">${shapes}</g></svg>`,
    );
  const band = `<rect width="${CARD.width}" height="16"/>`;
  return [
    { input: svg({ width: CARD.width, height: 16 }, band), top: 0, left: 0 },
    {
      input: svg(LINES, `<g opacity=".14">${lines.join("")}</g>`),
      top: 470,
      left: CARD.width - 84 - LINES.width,
    },
  ];
}

/** An image (SVG or PNG) as a PNG of `size` pixels in both directions. */
export async function squarePng(image: Buffer, size: number): Promise<Buffer> {
  const { default: sharp } = await import("sharp");
  const { width, height, format } = await sharp(image).metadata();
  // Vector images are drawn at the size that is needed.
  const density = format === "svg" ? Math.min(2_400, (72 * size) / Math.min(width, height)) : 72;
  return sharp(image, { density })
    .resize({ width: size, height: size, fit: "contain", background: "#0000" })
    .png()
    .toBuffer();
}
