/** Reads the stream of changes, on a connection of its own because it blocks. */
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { within, type Logger } from "#kernel";
import type { RedisClient } from "#kernel/internal";
import { messageSchema, type Following, type Message } from "../transport.js";
import { openConnection } from "./redis-connection.js";

/** Longest wait for a message, in ms. */
const BLOCK_MS = 2_000;
/** More than this means that Redis does not respond. */
const LIMIT_MS = BLOCK_MS + 1_000;
const PAUSE_MS = 200;
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
export async function readStream(parts: RedisReaderParts, options: Following): Promise<void> {
  const { log } = parts;
  const { signal } = options;
  let { cursor } = options;
  const at = {
    get: (): string => cursor,
    set: (next: string): void => void (cursor = next),
  };
  while (!signal.aborted) {
    const connection = openConnection(parts.url, log);
    const stop = (): void => void connection.close();
    signal.addEventListener("abort", stop, { once: true });
    try {
      await readWith(await connection.client(), { ...parts, ...options, at });
    } catch (error) {
      if (!signal.aborted) log.debug("cluster.read_failed", { error: String(error) });
    } finally {
      signal.removeEventListener("abort", stop);
      await connection.close();
    }
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
  }
}

type Reading = RedisReaderParts & Following & { at: { get(): string; set(cursor: string): void } };

async function readWith(client: RedisClient, reading: Reading): Promise<void> {
  const { at, stream, signal, lost, take, log } = reading;
  if (!(await isStored(client, stream, at.get()))) {
    const head = await newest(client, stream);
    await lost(head);
    at.set(head);
  }
  while (!signal.aborted) {
    const asked = client.xRead({ key: stream, id: at.get() }, { BLOCK: BLOCK_MS, COUNT });
    const reply = replySchema.parse(await within(LIMIT_MS, asked, late));
    for (const { id, message } of reply?.[0]?.messages ?? []) {
      const parsed = parseMessage(message["message"]);
      if (parsed === null) log.warn("cluster.message_invalid", { id });
      else await take(parsed, id);
      at.set(id);
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

/** A message of another version of Sitewright may have another form. */
function parseMessage(text: string | undefined): Message | null {
  try {
    return messageSchema.parse(JSON.parse(text ?? ""));
  } catch {
    return null;
  }
}
