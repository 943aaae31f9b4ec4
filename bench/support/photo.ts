import sharp from "sharp";
import { generator } from "./content-files.js";

/** An image with coarse and fine detail like a photograph, deterministic by seed. */
export async function photo(width: number, height: number, seed: number): Promise<Buffer> {
  const random = generator(seed);
  const [columns, rows] = [96, 72];
  const coarse = Buffer.from(Array.from({ length: columns * rows * 3 }, () => random() * 256));
  const grain = Buffer.from(Array.from({ length: 512 * 512 * 3 }, () => 96 + random() * 64));
  const picture = sharp(coarse, { raw: { width: columns, height: rows, channels: 3 } });
  const tile = await sharp(grain, { raw: { width: 512, height: 512, channels: 3 } })
    .png()
    .toBuffer();
  const base = await picture
    .resize(width, height, { fit: "fill", kernel: "cubic" })
    .png({ compressionLevel: 1 })
    .toBuffer();
  return sharp(base)
    .composite([{ input: tile, tile: true, blend: "soft-light" }])
    .jpeg({ quality: 90 })
    .toBuffer();
}
