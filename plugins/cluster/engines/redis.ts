/** Nodes that reach each other through Redis. */
import { z } from "zod";
import { HttpError, type Logger, within } from "#kernel";
import { sha256 } from "#lib/secrets";
import { RedisCalls, type RedisClient, RedisConnection } from "#lib/databases";
import {
  claimInSlices,
  MAX_LAG,
  MAX_MESSAGES,
  messageSchema,
  NODE_TTL_MS,
  nodeSchema,
  type Following,
  type Message,
  type NodeRecord,
  type Transport,
  type Version,
  keepReading,
  type ReaderPosition,
} from "../transport.js";
import { foreignStore, rejectedLogin, clusterDown } from "../errors.js";
import { BEAT, CLAIM, LEAVE, LOCK, ORPHANS, OWN, RENEW, SEND, UNLOCK } from "./redis-scripts.js";

const PREFIX = "site:cluster:";
const SITE = `${PREFIX}site`;
const NODES = `${PREFIX}nodes`;
const LEADER = `${PREFIX}leader`;
const LOCK_KEY = `${PREFIX}lock`;
const STREAM = `${PREFIX}changes`;
const OPEN = `${PREFIX}open`;

/** How Redis begins its reply to a wrong login. */
const LOGIN = /^(?:WRONGPASS|NOAUTH|NOPERM) /;

const texts = z.array(z.string());
const count = z.number();

/** The keys all begin with `site:cluster:`; a database belongs to one site. */
export class RedisTransport implements Transport {
  readonly store = "Redis";
  readonly #url: string;
  readonly #site: string;
  readonly #log: Logger;
  readonly #calls: RedisCalls;
  #isOwn = false;

  /** `site`: what identifies the site, the same on all its nodes. */
  constructor(url: string, site: string, log: Logger) {
    this.#url = url;
    this.#site = site;
    this.#log = log;
    this.#calls = openCalls(url, log);
  }

  /** @throws ERR_CLUSTER_LOGIN, ERR_CLUSTER_SITE. */
  async open(): Promise<void> {
    try {
      await this.#own();
    } catch (error) {
      // The node starts without the others while Redis does not respond.
      const cause = this.#calls.lastError ?? (error instanceof Error ? error.cause : null);
      const reason = cause instanceof Error ? cause.message : "";
      if (LOGIN.test(reason)) throw rejectedLogin(reason, cause);
      if (!(error instanceof HttpError)) throw error;
    }
  }

  /** The first site that connects owns the database. */
  async #own(): Promise<void> {
    if (this.#isOwn) return;
    const owner = z.string().parse(await this.#eval(OWN, [SITE], [this.#site]));
    if (owner !== this.#site) throw foreignStore(owner, this.#site);
    this.#isOwn = true;
  }

  async beat(node: NodeRecord, token: string) {
    await this.#own();
    const reply = await this.#eval(
      BEAT,
      [nodeKey(node.name), NODES, LEADER, LOCK_KEY],
      [node.id, node.name, JSON.stringify(node), String(NODE_TTL_MS), token],
    );
    const [found = "", leader = ""] = texts.parse(reply);
    return { taken: parseNode(found), leader };
  }

  async leave({ id, name }: NodeRecord): Promise<void> {
    await this.#eval(LEAVE, [nodeKey(name), NODES, LEADER, LOCK_KEY], [id, name]);
  }

  async nodes() {
    const { names, leader } = await this.#calls.run(async (client) => ({
      names: await client.sMembers(NODES),
      leader: (await client.get(LEADER)) ?? "",
    }));
    if (names.length === 0) return { nodes: [], leader };
    const found = await this.#calls.run((client) => client.mGet(names.map(nodeKey)));
    const nodes = found.flatMap((text) => parseNode(text ?? "") ?? []);
    return { nodes: nodes.toSorted((a, b) => (a.name < b.name ? -1 : 1)), leader };
  }

  async lock(token: string, ttlMs: number): Promise<boolean> {
    const id = token.slice(0, token.lastIndexOf("#"));
    return (await this.#count(LOCK, [LOCK_KEY], [token, String(ttlMs), id])) === 1;
  }

  async renew(token: string, ttlMs: number): Promise<boolean> {
    return (await this.#count(RENEW, [LOCK_KEY], [token, String(ttlMs)])) === 1;
  }

  async unlock(token: string): Promise<void> {
    await this.#eval(UNLOCK, [LOCK_KEY], [token]);
  }

  async claim({ id, name }: NodeRecord, versions: readonly Version[]) {
    return claimInSlices(versions, async (some) => {
      const keys = [LOCK_KEY, ...some.map(({ key }) => versionKey(key))];
      const found = texts.parse(await this.#eval(CLAIM, keys, [id, name, ...statesOf(some)]));
      return found.length === 0 ? null : found;
    });
  }

  async send(message: Message, versions: readonly Version[]): Promise<string> {
    const keys = [STREAM, OPEN, ...versions.map(({ key }) => versionKey(key))];
    const { node, open = "" } = message;
    const args = [String(MAX_MESSAGES), JSON.stringify(message), node, open];
    return z.string().parse(await this.#eval(SEND, keys, [...args, ...statesOf(versions)]));
  }

  async finish(open: string): Promise<void> {
    await this.#calls.run((client) => client.hDel(OPEN, open));
  }

  async orphans(): Promise<readonly Message[]> {
    const found = texts.parse(await this.#eval(ORPHANS, [OPEN], [nodeKey("")]));
    return found.flatMap((text) => messageSchema.safeParse(JSON.parse(text)).data ?? []);
  }

  async lag(cursor: string): Promise<number> {
    const from = cursor === "" ? "-" : `(${cursor}`;
    const options = { COUNT: MAX_LAG };
    const found = await this.#calls.run((client) => client.xRange(STREAM, from, "+", options));
    return found?.length ?? 0;
  }

  follow(options: Following): Promise<void> {
    return readStream(this.#url, this.#log, options);
  }

  async close(): Promise<void> {
    this.#calls.close();
  }

  #eval(script: string, keys: string[], args: string[]): Promise<unknown> {
    return this.#calls.run((client) => client.eval(script, { keys, arguments: args }));
  }

  async #count(script: string, keys: string[], args: string[]): Promise<number> {
    return count.parse(await this.#eval(script, keys, args));
  }
}

function nodeKey(name: string): string {
  return `${PREFIX}node:${name}`;
}

function versionKey(key: string): string {
  return `${PREFIX}seen:${sha256(key).slice(0, 32)}`;
}

function statesOf(versions: readonly Version[]): string[] {
  return versions.flatMap(({ state, exact }) => [state, exact]);
}

function parseNode(text: string): NodeRecord | null {
  return text === "" ? null : (nodeSchema.safeParse(JSON.parse(text)).data ?? null);
}

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

/** Reads messages until aborted, on a connection of its own because reading blocks. */
function readStream(url: string, log: Logger, following: Following): Promise<void> {
  const { signal } = following;
  return keepReading(following, log, async (at) => {
    const connection = openConnection(url, log);
    const stop = (): void => void connection.close();
    signal.addEventListener("abort", stop, { once: true });
    try {
      await readWith(await connection.client(), signal, at);
    } finally {
      signal.removeEventListener("abort", stop);
      await connection.close();
    }
  });
}

async function readWith(
  client: RedisClient,
  signal: AbortSignal,
  at: ReaderPosition,
): Promise<void> {
  if (!(await isStored(client, at.cursor))) await at.skipTo(await newest(client));
  while (!signal.aborted) {
    const asked = client.xRead({ key: STREAM, id: at.cursor }, { BLOCK: BLOCK_MS, COUNT });
    const reply = replySchema.parse(await within(LIMIT_MS, asked, late));
    for (const { id, message } of reply?.[0]?.messages ?? []) {
      await at.take(message["message"] ?? "", id);
    }
  }
}

/** False when messages after the cursor may have been trimmed, or the stream is another one. */
async function isStored(client: RedisClient, cursor: string): Promise<boolean> {
  if (cursor === "") return false;
  const found = await within(LIMIT_MS, client.xRange(STREAM, cursor, cursor), late);
  return (found?.length ?? 0) > 0;
}

async function newest(client: RedisClient): Promise<string> {
  const found = await within(LIMIT_MS, client.xRevRange(STREAM, "+", "-", { COUNT: 1 }), late);
  return found?.[0]?.id ?? "0-0";
}

function late(): never {
  throw new Error(`no response within ${LIMIT_MS} ms`);
}

/** A connection whose errors are logged at level `debug`: heartbeats report an outage once. */
export function openConnection(url: string, log: Logger): RedisConnection {
  return new RedisConnection(url, (error) => note(log, error));
}

/** Calls that fail fast. They throw ERR_CLUSTER_DOWN (503). */
function openCalls(url: string, log: Logger): RedisCalls {
  return new RedisCalls({ url, onError: (error) => note(log, error), toError: clusterDown });
}

function note(log: Logger, error: unknown): void {
  log.debug("cluster.redis_error", { error: String(error) });
}
