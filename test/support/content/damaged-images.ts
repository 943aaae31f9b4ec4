import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { gradient } from "./pictures.js";

/** Images with one defect each, by name: the classes of the known PNG test suites, and those of other formats. */
export type DamagedImages = Readonly<Record<string, Buffer>>;

const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

function chunk(type: string, data: Buffer, crc?: number): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8 + body.length);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc ?? crcOf(body), 4 + body.length);
  return frame;
}

/** ISO 3309, as in PNG. */
function crcOf(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

interface Header {
  width?: number;
  height?: number;
  depth?: number;
  colour?: number;
  compression?: number;
  filter?: number;
  interlace?: number;
}

function header(wanted: Header = {}): Buffer {
  const { width = 32, height = 32, depth = 8, colour = 2 } = wanted;
  const { compression = 0, filter = 0, interlace = 0 } = wanted;
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([depth, colour, compression, filter, interlace], 8);
  return chunk("IHDR", data);
}

const pixels = (rows = 32, bytes = 32 * 3): Buffer =>
  deflateSync(Buffer.alloc(rows * (bytes + 1), 0));
const end = chunk("IEND", Buffer.alloc(0));
const png = (...chunks: readonly Buffer[]): Buffer => Buffer.concat([signature, ...chunks, end]);
const data = (bytes = pixels()): Buffer => chunk("IDAT", bytes);

/** PNG: invalid signatures, headers, chunks, data; forged headers; small files that would decode to large ones. */
export function damagedPngs(): DamagedImages {
  const whole = png(header(), data());
  const withSignature = (bytes: string): Buffer =>
    Buffer.concat([Buffer.from(bytes, "latin1"), whole.subarray(8)]);
  const compressed = (size: number): Buffer => deflateSync(Buffer.alloc(size), { level: 9 });
  return {
    "signature with the high bit gone": withSignature("\tPNG\r\n\x1a\n"),
    "signature with line feeds for carriage returns": withSignature("\x89PNG\n\n\x1a\n"),
    "signature with carriage returns for line feeds": withSignature("\x89PNG\r\r\x1a\r"),
    "signature in lower case": withSignature("\x89png\r\n\x1a\n"),
    "no data": png(header()),
    "no header": png(data()),
    "no end": Buffer.concat([signature, header(), data()]),
    "two headers": png(header(), header({ width: 9 }), data()),
    "header of a wrong sum": Buffer.concat([
      signature,
      chunk("IHDR", header().subarray(8, 21), 1),
      data(),
      end,
    ]),
    "data of a wrong sum": Buffer.concat([signature, header(), chunk("IDAT", pixels(), 1), end]),
    "width of 0": png(header({ width: 0 }), data()),
    "height of 0": png(header({ height: 0 }), data()),
    "height beyond 31 bits": png(header({ height: 0xffffffff }), data()),
    "more rows than there are": png(header({ height: 4_000 }), data()),
    "fewer rows than there are": png(header({ height: 2 }), data()),
    "more pixels than anybody has": png(header({ width: 100_000, height: 100_000 }), data()),
    ...Object.fromEntries(
      [1, 5, 7, 9].map((colour) => [`colour type ${colour}`, png(header({ colour }), data())]),
    ),
    ...Object.fromEntries(
      [0, 3, 7, 99].map((depth) => [`bit depth ${depth}`, png(header({ depth }), data())]),
    ),
    "another compression": png(header({ compression: 9 }), data()),
    "another filter": png(header({ filter: 9 }), data()),
    "another interlacing": png(header({ interlace: 9 }), data()),
    "interlaced, with rows of none": png(header({ interlace: 1 }), data()),
    "rows of an unknown filter": png(header(), data(deflateSync(Buffer.alloc(32 * 97, 9)))),
    "palette missing": png(header({ colour: 3 }), data(pixels(32, 32))),
    "palette of five bytes": png(
      header({ colour: 3 }),
      chunk("PLTE", Buffer.alloc(5)),
      data(pixels(32, 32)),
    ),
    "palette indexes beyond it": png(
      header({ colour: 3 }),
      chunk("PLTE", Buffer.alloc(3)),
      data(deflateSync(Buffer.alloc(32 * 33, 4))),
    ),
    "data that is no stream": png(header(), data(Buffer.from("not deflated"))),
    "data that ends early": png(header(), data(pixels().subarray(0, 10))),
    "chunk longer than the file": Buffer.concat([
      signature,
      header(),
      Buffer.from("\x7f\xff\xff\xffIDAT", "latin1"),
    ]),
    "unknown chunk that must be known": png(header(), chunk("QQQQ", Buffer.alloc(4)), data()),
    "profile that unpacks to 64 MB": png(
      header(),
      chunk("iCCP", Buffer.concat([Buffer.from("p\0\0", "latin1"), compressed(64 << 20)])),
      data(),
    ),
    "text that unpacks to 64 MB": png(
      header(),
      chunk("zTXt", Buffer.concat([Buffer.from("t\0\0", "latin1"), compressed(64 << 20)])),
      data(),
    ),
    "64 MB behind the last row": png(header(), data(compressed(64 << 20))),
    "49 million pixels of one colour in little": png(
      header({ width: 7_000, height: 7_000, depth: 1, colour: 0 }),
      data(compressed(7_000 * 876)),
    ),
    "animation that promises a million frames": png(
      header(),
      chunk("acTL", Buffer.from([0, 15, 66, 64, 0, 0, 0, 0])),
      data(),
    ),
  };
}

const set = (bytes: Buffer, ...changes: readonly (readonly [number, number])[]): Buffer => {
  const changed = Buffer.from(bytes);
  for (const [at, value] of changes) changed[at] = value;
  return changed;
};

/** Other formats: truncated in sixteen places, and forged headers. */
export async function damagedOthers(): Promise<DamagedImages> {
  const made = await Promise.all(
    (["jpeg", "png", "gif", "webp", "avif", "tiff"] as const).map(
      async (format) => [format, await gradient(96, 64).toFormat(format).toBuffer()] as const,
    ),
  );
  const cut = made.flatMap(([format, bytes]) =>
    Array.from({ length: 16 }, (_, at): [string, Buffer] => [
      `${format} cut off after ${at}/16`,
      bytes.subarray(0, Math.floor((bytes.length * at) / 16)),
    ]),
  );
  const whole = Object.fromEntries(made) as Record<(typeof made)[number][0], Buffer>;
  const size = whole.jpeg.indexOf(Buffer.from([0xff, 0xc0])) + 5;
  const scan = whole.jpeg.indexOf(Buffer.from([0xff, 0xda]));
  const tables = whole.jpeg.indexOf(Buffer.from([0xff, 0xc4]));
  return {
    ...Object.fromEntries(cut),
    "jpeg that says 65535x65535": set(
      whole.jpeg,
      [size, 255],
      [size + 1, 255],
      [size + 2, 255],
      [size + 3, 255],
    ),
    "jpeg of no rows": set(whole.jpeg, [size, 0], [size + 1, 0]),
    "jpeg without a scan": Buffer.concat([whole.jpeg.subarray(0, scan), Buffer.from([0xff, 0xd9])]),
    "jpeg with broken tables": set(
      whole.jpeg,
      [tables + 5, 255],
      [tables + 6, 255],
      [tables + 7, 255],
    ),
    "jpeg of markers only": Buffer.concat([
      Buffer.from([0xff, 0xd8]),
      Buffer.alloc(100_000, Buffer.from([0xff, 0xd0])),
    ]),
    "gif that says 65535x65535": set(whole.gif, [6, 255], [7, 255], [8, 255], [9, 255]),
    "gif without pictures": whole.gif.subarray(0, 13 + 3 * 256),
    "gif of ten thousand frames of nothing": Buffer.concat([
      whole.gif.subarray(0, -1),
      ...Array.from({ length: 10_000 }, () =>
        Buffer.from("2c0000000001000100000002024401 00".replaceAll(" ", ""), "hex"),
      ),
      Buffer.from(";"),
    ]),
    "webp that says it is longer": set(whole.webp, [4, 255], [5, 255], [6, 255], [7, 127]),
    "webp without data": whole.webp.subarray(0, 20),
    "avif whose first box is endless": set(whole.avif, [0, 255], [1, 255], [2, 255], [3, 255]),
    "avif whose first box is empty": set(whole.avif, [3, 0]),
    "tiff whose directory is beyond the file": set(
      whole.tiff,
      [4, 255],
      [5, 255],
      [6, 255],
      [7, 127],
    ),
    "tiff whose directory is itself": Buffer.concat([
      Buffer.from("II*\0\x08\0\0\0\0\0\x08\0\0\0", "latin1"),
      Buffer.alloc(64),
    ]),
    "tiff of 65535 entries": Buffer.concat([
      Buffer.from("II*\0\x08\0\0\0\xff\xff", "latin1"),
      Buffer.alloc(1_000, 1),
    ]),
    "svg with a foreign name": Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"/>',
    ),
    "two formats one after the other": Buffer.concat([whole.gif, whole.jpeg]),
    "another format than its name": await sharp({
      create: { width: 9, height: 9, channels: 3, background: "red" },
    })
      .gif()
      .toBuffer(),
  };
}
