/** Reads the messages, on a connection of its own that listens for notifications. */
import type { Logger } from "#kernel";
import { createPostgresPool } from "#lib/stores";
import type { Following } from "../transport.js";
import { keepReading, type ReaderPosition } from "./keep-reading.js";

/** Without a notification the table is read this often, in ms; also notices a lost connection. */
const POLL_MS = 1_000;
const COUNT = 100;
/** Time limit of a query and of connecting, in ms. */
const LIMIT_MS = 1_500;

/** The database and where errors of its connection are logged. */
export interface PostgresReaderParts {
  readonly url: string;
  readonly log: Logger;
}

/** Reads until aborted; after a lost connection it continues where it was. */
export function readMessages(parts: PostgresReaderParts, following: Following): Promise<void> {
  return keepReading(following, parts.log, (at) => readConnected(parts, following.signal, at));
}

async function readConnected(
  { url, log }: PostgresReaderParts,
  signal: AbortSignal,
  at: ReaderPosition,
): Promise<void> {
  const onError = (error: Error): void =>
    log.debug("cluster.postgres_error", { error: error.message });
  const pool = await createPostgresPool({
    url,
    connections: 1,
    onError,
    connectMs: LIMIT_MS,
    statementMs: LIMIT_MS,
  });
  try {
    const client = await pool.connect();
    const bell = new Bell(signal);
    client.on("notification", () => bell.ring());
    client.on("end", () => bell.ring());
    try {
      await client.query("listen site_cluster");
      await readWith(client, { signal, at, bell });
    } finally {
      client.release(true);
    }
  } finally {
    await pool.end();
  }
}

/** The one method of the driver that is used here. */
interface Client {
  query<R extends object>(sql: string, values?: unknown[]): Promise<{ rows: R[] }>;
}

async function readWith(
  client: Client,
  { signal, at, bell }: { signal: AbortSignal; at: ReaderPosition; bell: Bell },
): Promise<void> {
  if (!(await isStored(client, at.cursor))) await at.skipTo(await newest(client));
  while (!signal.aborted) {
    bell.reset();
    const sql =
      "select id || '-' || stamp as cursor, message::text as message from site_cluster_messages where id > $1 order by id limit $2";
    const { rows } = await client.query<{ cursor: string; message: string }>(sql, [
      numberOf(at.cursor),
      COUNT,
    ]);
    for (const { cursor, message } of rows) {
      if (signal.aborted) return;
      await at.take(message, cursor);
    }
    if (rows.length === 0) await bell.rung(POLL_MS);
  }
}

/** False when messages after the cursor may have been deleted, or the table is another one. */
async function isStored(client: Client, cursor: string): Promise<boolean> {
  const sql = "select from site_cluster_messages where id = $1 and stamp = $2";
  const stamp = Number(cursor.split("-")[1] ?? 0);
  return (await client.query(sql, [numberOf(cursor), stamp])).rows.length > 0;
}

async function newest(client: Client): Promise<string> {
  const sql =
    "select id || '-' || stamp as cursor from site_cluster_messages order by id desc limit 1";
  return (await client.query<{ cursor: string }>(sql)).rows[0]?.cursor ?? "0-0";
}

/** The number of a message in its cursor; 0 for none. */
export function numberOf(cursor: string): number {
  return Number(cursor.split("-")[0] ?? 0);
}

/** Ends a wait early. */
class Bell {
  #isRung = false;
  #wake: (() => void) | null = null;

  constructor(signal: AbortSignal) {
    signal.addEventListener("abort", () => this.ring(), { once: true });
  }

  reset(): void {
    this.#isRung = false;
  }

  ring(): void {
    this.#isRung = true;
    this.#wake?.();
  }

  /** Resolves when it rings, or after `ms`. */
  async rung(ms: number): Promise<void> {
    if (this.#isRung) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = null;
  }
}
