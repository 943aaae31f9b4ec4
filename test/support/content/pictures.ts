import sharp from "sharp";

/** A PNG whose colours encode positions: red grows to the right, green downwards. */
export function picture(width: number, height: number): Promise<Buffer> {
  return gradient(width, height).png().toBuffer();
}

/** The same, for any format. */
export function gradient(width: number, height: number) {
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0; at < width * height; at += 1) {
    pixels[at * 3] = Math.floor(((at % width) * 256) / width);
    pixels[at * 3 + 1] = Math.floor((Math.floor(at / width) * 256) / height);
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}
