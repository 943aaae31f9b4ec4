import { open, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { FileLock, isAbsent, makeFolder, namesIn, PRIVATE_FILE } from "#lib/files";
import { isRecord, parseJson } from "#lib/values";
import type { JournalDefinition, JournalEntry, JournalValue, RecordJournal } from "../contract.js";

const SEGMENT_NAME = /^(\d{15})\.jsonl$/;
const MAX_SEGMENT = 500;
const LINE_FEED = 10;

/** The end of the newest segment. */
interface End {
  /** Number of the first entry of the segment. */
  readonly first: number;
  /** Number of the next entry. */
  readonly next: number;
  /** Bytes of complete entries. */
  readonly size: number;
}

/**
 * JSON lines in segments that are named by the number of their first entry; line and number correspond.
 * Processes of one root take turns to append; a last line that a crash truncated is removed then.
 */
export class JournalFiles implements RecordJournal {
  readonly isShared = false;
  readonly #folder: string;
  readonly #maxEntries: number;
  readonly #perSegment: number;
  readonly #turns: FileLock;
  /** After the last append of this process. */
  #end: End | null = null;

  constructor(folder: string, { name, maxEntries }: JournalDefinition) {
    this.#folder = join(folder, name);
    this.#maxEntries = maxEntries;
    this.#perSegment = Math.max(1, Math.min(MAX_SEGMENT, Math.floor(maxEntries / 10)));
    this.#turns = new FileLock(`${this.#folder}.lock`, {
      code: "ERR_RECORDS_LOCKED",
      message: `another process is writing the journal ${name}`,
      fix: "try again",
    });
  }

  async append(values: readonly JournalValue[]): Promise<void> {
    if (values.length > 0) await this.#turns.run(() => this.#append(values));
  }

  async read(from: number, limit: number): Promise<readonly JournalEntry[]> {
    const firsts = await this.#segments();
    const start = firsts.findLastIndex((first) => first <= from);
    const entries: JournalEntry[] = [];
    for (const first of firsts.slice(Math.max(start, 0))) {
      // The segment before it was deleted meanwhile.
      if (entries.length > 0 && entries.at(-1)?.n !== first - 1) break;
      entries.push(...(await this.#entriesOf(first, from)));
      if (entries.length >= limit) break;
    }
    return entries.slice(0, limit);
  }

  async newest(): Promise<JournalEntry | null> {
    for (const first of (await this.#segments()).toReversed()) {
      const entry = (await this.#entriesOf(first, first)).at(-1);
      if (entry !== undefined) return entry;
    }
    return null;
  }

  prune(before: number): Promise<void> {
    return this.#turns.run(async () => {
      const firsts = await this.#segments();
      const next = (await this.newest())?.n ?? 0;
      for (const [at, first] of firsts.slice(0, -1).entries()) {
        const after = firsts[at + 1] ?? 0;
        const isSurplus = next - after + 1 >= this.#maxEntries;
        const isOld = ((await this.#entriesOf(after, after))[0]?.at ?? Infinity) < before;
        if (!isSurplus && !isOld) return;
        await rm(this.#file(first), { force: true });
      }
    });
  }

  async #append(values: readonly JournalValue[]): Promise<void> {
    await makeFolder(this.#folder);
    let end = await this.#findEnd();
    for (let at = 0; at < values.length;) {
      const room = this.#perSegment - (end.next - end.first);
      if (room <= 0) end = { first: end.next, next: end.next, size: 0 };
      const taken = values.slice(at, at + Math.max(room, 1));
      end = await this.#write(end, taken);
      at += taken.length;
    }
    this.#end = end;
  }

  async #write({ first, next, size }: End, values: readonly JournalValue[]): Promise<End> {
    const lines = values.map(({ at, value }) => `${JSON.stringify({ at, value })}\n`).join("");
    const bytes = Buffer.from(lines);
    const handle = await open(this.#file(first), "a", PRIVATE_FILE);
    try {
      await handle.truncate(size);
      await handle.appendFile(bytes);
      await handle.datasync();
    } catch (error) {
      this.#end = null;
      await handle.truncate(size).catch(() => undefined);
      throw error;
    } finally {
      await handle.close();
    }
    return { first, next: next + values.length, size: size + bytes.length };
  }

  async #findEnd(): Promise<End> {
    const first = (await this.#segments()).at(-1) ?? 1;
    const last = this.#end;
    if (last?.first === first && (await this.#sizeOf(first)) === last.size) return last;
    const bytes = await this.#bytesOf(first);
    const size = bytes.lastIndexOf(LINE_FEED) + 1;
    return { first, next: first + splitLines(bytes).length, size };
  }

  /** The entries of a segment from a number on. */
  async #entriesOf(first: number, from: number): Promise<JournalEntry[]> {
    const skipped = Math.max(0, from - first);
    const lines = splitLines(await this.#bytesOf(first)).slice(skipped);
    return lines.map((line, nth) => ({ n: first + skipped + nth, ...parseLine(line) }));
  }

  async #segments(): Promise<number[]> {
    const names = await namesIn(this.#folder);
    const firsts = names.flatMap((name) => SEGMENT_NAME.exec(name)?.[1] ?? []).map(Number);
    return firsts.sort((a, b) => a - b);
  }

  async #sizeOf(first: number): Promise<number> {
    return (await stat(this.#file(first))).size;
  }

  async #bytesOf(first: number): Promise<Buffer> {
    try {
      return await readFile(this.#file(first));
    } catch (error) {
      if (isAbsent(error)) return Buffer.alloc(0);
      throw error;
    }
  }

  #file(first: number): string {
    return join(this.#folder, `${String(first).padStart(15, "0")}.jsonl`);
  }
}

/** The complete lines: what follows the last line feed is truncated, or another process is writing it. */
function splitLines(bytes: Buffer): string[] {
  return bytes
    .toString("utf8", 0, bytes.lastIndexOf(LINE_FEED) + 1)
    .split("\n")
    .slice(0, -1);
}

function parseLine(line: string): JournalValue {
  const parsed = parseJson(line);
  const { at, value } = isRecord(parsed) ? parsed : {};
  return typeof at === "number" ? { at, value } : { at: Infinity, value: undefined };
}
