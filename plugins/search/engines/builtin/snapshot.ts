import { createPause } from "#lib/concurrency";
import { type Column, type Segment, Slots } from "./segment.js";

/** Increase it when the layout or the tokenizer changes; other versions are not read. */
const VERSION = 2;
const MAGIC = "site search index";

/** The restored state. */
export interface Snapshot {
  readonly segments: readonly Segment[];
  readonly slots: Slots;
}

/** Serializes segments: length-prefixed blocks; text as JSON, numbers in binary. */
export async function writeSnapshot({ segments, slots }: Snapshot): Promise<Uint8Array> {
  const pause = createPause();
  const blocks: Uint8Array[] = [];
  const text = async (value: unknown): Promise<void> => {
    blocks.push(Buffer.from(JSON.stringify(value)));
    await pause();
  };
  await text({ magic: MAGIC, version: VERSION, fields: slots.fields, segments: segments.length });
  for (const segment of segments) {
    await text(segment.routes);
    await text(segment.titles);
    await text(segment.terms);
    for (const numbers of listArrays(segment)) blocks.push(toBytes(numbers));
    await text([...segment.columns].map(([name, column]) => [name, ...column.values]));
    for (const { starts, ids } of segment.columns.values())
      blocks.push(toBytes(starts), toBytes(ids));
  }
  return join(blocks);
}

/** The segments of a snapshot; null when the bytes are invalid or of another version. */
export async function readSnapshot(bytes: Uint8Array): Promise<Snapshot | null> {
  try {
    const reader = new BlockReader(bytes);
    const head = await reader.json();
    if (!isHead(head)) return null;
    const segments: Segment[] = [];
    for (let at = 0; at < head.segments; at++) segments.push(await readSegment(reader));
    return { segments, slots: new Slots(head.fields) };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return null;
    throw error;
  }
}

/** The arrays of a segment in the order they are written and read. */
function listArrays(segment: Segment): (Uint32Array | Int32Array | Uint16Array | Uint8Array)[] {
  const { titleHashes, titleOrder, dates, starts, postings } = segment;
  const { extraStarts, extraDocs, extraSlots, dead } = segment;
  return [
    titleHashes,
    titleOrder,
    dates,
    starts,
    postings,
    extraStarts,
    extraDocs,
    extraSlots,
    dead,
  ];
}

async function readSegment(reader: BlockReader): Promise<Segment> {
  const routes = toStrings(await reader.json());
  const titles = toStrings(await reader.json());
  const terms = toStrings(await reader.json());
  const numbers = {
    titleHashes: reader.words(),
    titleOrder: reader.words(),
    dates: new Int32Array(reader.block()),
    starts: reader.words(),
    postings: reader.words(),
    extraStarts: reader.words(),
    extraDocs: reader.words(),
    extraSlots: new Uint16Array(reader.block()),
    dead: new Uint8Array(reader.block()),
  };
  return {
    size: routes.length,
    routes,
    titles,
    terms,
    ...numbers,
    columns: await readColumns(reader),
    byRoute: new Map(routes.map((route, at) => [route, at])),
    deadCount: numbers.dead.reduce((sum, dead) => sum + dead, 0),
  };
}

async function readColumns(reader: BlockReader): Promise<Map<string, Column>> {
  const columns = new Map<string, Column>();
  const heads = await reader.json();
  for (const head of Array.isArray(heads) ? heads : []) {
    const [name, ...values] = toStrings(head);
    columns.set(name ?? "", { values, starts: reader.words(), ids: reader.words() });
  }
  return columns;
}

/**
 * Reads block by block.
 * @throws RangeError past the end.
 */
class BlockReader {
  readonly #bytes: Uint8Array;
  readonly #pause = createPause();
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }
  /** A copy is aligned, and allows the whole file to be released. */
  block(): ArrayBuffer {
    const length = new DataView(
      this.#bytes.buffer,
      this.#bytes.byteOffset + this.#at,
      8,
    ).getFloat64(0, true);
    const [from, to] = [this.#at + 8, this.#at + 8 + length];
    if (!(length >= 0) || to > this.#bytes.length) throw new RangeError("block past the end");
    this.#at = to;
    const copy = new Uint8Array(length);
    copy.set(this.#bytes.subarray(from, to));
    return copy.buffer;
  }
  words(): Uint32Array {
    return new Uint32Array(this.block());
  }
  async json(): Promise<unknown> {
    const value: unknown = JSON.parse(Buffer.from(this.block()).toString());
    await this.#pause();
    return value;
  }
}

function isHead(value: unknown): value is { fields: string[]; segments: number } {
  if (typeof value !== "object" || value === null) return false;
  const head = value as Record<string, unknown>;
  return head["magic"] === MAGIC && head["version"] === VERSION && Array.isArray(head["fields"]);
}

function toStrings(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function toBytes(numbers: ArrayBufferView): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

function join(blocks: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(blocks.reduce((sum, block) => sum + 8 + block.length, 0));
  const view = new DataView(joined.buffer);
  let at = 0;
  for (const block of blocks) {
    view.setFloat64(at, block.length, true);
    joined.set(block, at + 8);
    at += 8 + block.length;
  }
  return joined;
}
