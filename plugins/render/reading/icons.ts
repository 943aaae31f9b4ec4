import type { Caches, CacheSpace } from "#kernel";
import { sha256 } from "#lib/secrets";
import { squarePng } from "../engines/sharp.js";

/** Icons that are made from one image, with their size in pixels. */
export const ICONS = {
  "favicon.ico": 48,
  "apple-touch-icon.png": 180,
  "icon-192.png": 192,
  "icon-512.png": 512,
} as const;
/** Name of a made icon. */
export type IconName = keyof typeof ICONS;

/** Bytes of an ICO header with one entry. */
const ICO_HEADER = 22;

/** Makes an icon from an image (SVG or PNG), once. */
export class Icons {
  readonly #made: CacheSpace<Buffer>;

  constructor(cache: Pick<Caches, "open">) {
    this.#made = cache.open<Buffer>("icons", {
      maxBytes: 1_024 * 1_024,
      sizeOf: ({ length }) => length,
      untagged: true,
    });
  }

  /** The bytes of an icon. */
  get(name: IconName, image: Buffer): Promise<Buffer> {
    const digest = sha256(image);
    return this.#made.get(`${name} ${digest}`, async () => {
      const png = await squarePng(image, ICONS[name]);
      return name.endsWith(".ico") ? toIco(png, ICONS[name]) : png;
    });
  }
}

/** An ICO file with one PNG image. */
function toIco(png: Buffer, size: number): Buffer {
  const header = Buffer.alloc(ICO_HEADER);
  header.writeUInt16LE(1, 2); // an icon
  header.writeUInt16LE(1, 4); // one image
  header.writeUInt8(size, 6);
  header.writeUInt8(size, 7);
  header.writeUInt16LE(1, 10); // colour planes
  header.writeUInt16LE(32, 12); // bits per pixel
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(ICO_HEADER, 18);
  return Buffer.concat([header, png]);
}
