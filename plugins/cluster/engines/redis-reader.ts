/** Reads the stream of changes, on a connection of its own because it blocks. */
import { z } from "zod";
import { within, type Logger } from "#kernel";
import type { RedisClient } from "#lib/stores";
import type { Following } from "../transport.js";
import { keepReading, type ReaderPosition } from "./keep-reading.js";
import { openConnection } from "./redis-connection.js";

/** Longest wait for a message, in ms. */
const BLOCK_MS = 2_000;
/** More than this means that Redis does not respond. */
const LIMIT_MS = BLOCK_MS + 1_000;
const COUNT = 100;

const replySchema = z
  .array(
    z.object({
      messages: z.array(z.object({ id: z.string(), message: z.record(z.string(), z.string()) })),
    }),
  )
  .nullable();

/** The stream and how to reach it. */
export interface RedisReaderParts {
  readonly url: string;
  readonly stream: string;
  readonly log: Logger;
}

/** Reads until aborted; after a lost connection it continues where it was. */
export function readStream(parts: RedisReaderParts, following: Following): Promise<void> {
  const { signal } = following;
  return keepReading(following, parts.log, async (at) => {
    const connection = openConnection(parts.url, parts.log);
    const stop = (): void => void connection.close();
    signal.addEventListener("abort", stop, { once: true });
    try {
      await readWith(await connection.client(), { stream: parts.stream, signal, at });
    } finally {
      signal.removeEventListener("abort", stop);
      await connection.close();
    }
  });
}

async function readWith(
  client: RedisClient,
  { stream, signal, at }: { stream: string; signal: AbortSignal; at: ReaderPosition },
): Promise<void> {
  if (!(await isStored(client, stream, at.cursor))) await at.skipTo(await newest(client, stream));
  while (!signal.aborted) {
    const asked = client.xRead({ key: stream, id: at.cursor }, { BLOCK: BLOCK_MS, COUNT });
    const reply = replySchema.parse(await within(LIMIT_MS, asked, late));
    for (const { id, message } of reply?.[0]?.messages ?? []) {
      await at.take(message["message"] ?? "", id);
    }
  }
}

/** False when messages after the cursor may have been trimmed, or the stream is another one. */
async function isStored(client: RedisClient, stream: string, cursor: string): Promise<boolean> {
  if (cursor === "") return false;
  const found = await within(LIMIT_MS, client.xRange(stream, cursor, cursor), late);
  return (found?.length ?? 0) > 0;
}

async function newest(client: RedisClient, stream: string): Promise<string> {
  const found = await within(LIMIT_MS, client.xRevRange(stream, "+", "-", { COUNT: 1 }), late);
  return found?.[0]?.id ?? "0-0";
}

function late(): never {
  throw new Error(`no response within ${LIMIT_MS} ms`);
}
