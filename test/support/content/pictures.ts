import { crc32 } from "node:zlib";
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

/** A PNG whose header claims this size; its pixels are missing. */
export function hugePng(width: number, height: number): Buffer {
  const header = Buffer.from("\0\0\0\0\0\0\0\0\u0008\u0002\0\0\0", "latin1");
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    pngChunk("IHDR", header),
    pngChunk("IDAT", Buffer.from("789c03000000000001", "hex")),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

function pngChunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
