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

const PREFIX = "site:cluster:";
const SITE = `${PREFIX}site`;
const NODES = `${PREFIX}nodes`;
const LEADER = `${PREFIX}leader`;
const LOCK_KEY = `${PREFIX}lock`;
const STREAM = `${PREFIX}changes`;
const OPEN = `${PREFIX}open`;

/** Redis begins its reply to a wrong login so. */
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
    this.#calls = new RedisCalls({
      url,
      onError: (error) => note(log, error),
      toError: clusterDown,
    });
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
    const [holder = "", leader = ""] = texts.parse(reply);
    return { taken: parseNode(holder), leader };
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
    const values = await this.#calls.run((client) => client.mGet(names.map(nodeKey)));
    const nodes = values.flatMap((text) => parseNode(text ?? "") ?? []);
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
      const owners = texts.parse(await this.#eval(CLAIM, keys, [id, name, ...listStates(some)]));
      return owners.length === 0 ? null : owners;
    });
  }

  async send(message: Message, versions: readonly Version[]): Promise<string> {
    const keys = [STREAM, OPEN, ...versions.map(({ key }) => versionKey(key))];
    const { node, open = "" } = message;
    const args = [String(MAX_MESSAGES), JSON.stringify(message), node, open];
    return z.string().parse(await this.#eval(SEND, keys, [...args, ...listStates(versions)]));
  }

  async finish(open: string): Promise<void> {
    await this.#calls.run((client) => client.hDel(OPEN, open));
  }

  async orphans(): Promise<readonly Message[]> {
    const stored = texts.parse(await this.#eval(ORPHANS, [OPEN], [nodeKey("")]));
    return stored.flatMap((text) => messageSchema.safeParse(JSON.parse(text)).data ?? []);
  }

  async lag(cursor: string): Promise<number> {
    const from = cursor === "" ? "-" : `(${cursor}`;
    const options = { COUNT: MAX_LAG };
    const entries = await this.#calls.run((client) => client.xRange(STREAM, from, "+", options));
    return entries?.length ?? 0;
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

function listStates(versions: readonly Version[]): string[] {
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
  const entries = await within(LIMIT_MS, client.xRange(STREAM, cursor, cursor), late);
  return (entries?.length ?? 0) > 0;
}

async function newest(client: RedisClient): Promise<string> {
  const entries = await within(LIMIT_MS, client.xRevRange(STREAM, "+", "-", { COUNT: 1 }), late);
  return entries?.[0]?.id ?? "0-0";
}

function late(): never {
  throw new Error(`no response within ${LIMIT_MS} ms`);
}

/** A connection whose errors are logged at level `debug`: heartbeats report an outage once. */
export function openConnection(url: string, log: Logger): RedisConnection {
  return new RedisConnection(url, (error) => note(log, error));
}

/** Calls that fail fast. They throw ERR_CLUSTER_DOWN (503). */
function note(log: Logger, error: unknown): void {
  log.debug("cluster.redis_error", { error: String(error) });
}

/** Scripts that run inside Redis, so that each is one step for all nodes. */

/** KEYS: site. ARGV: site. Returns the site that owns the database. */
const OWN = `
redis.call('SET', KEYS[1], ARGV[1], 'NX')
return redis.call('GET', KEYS[1])`;

/** KEYS: node, nodes, leader, lock. ARGV: id, name, record, ttl, token. Returns the other node of this name, and the leader. */
const BEAT = `
local found = redis.call('GET', KEYS[1])
if found and cjson.decode(found).id ~= ARGV[1] then return {found, ''} end
redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[4])
redis.call('SADD', KEYS[2], ARGV[2])
local leader = redis.call('GET', KEYS[3])
if not leader or leader == ARGV[1] then
  redis.call('SET', KEYS[3], ARGV[1], 'PX', ARGV[4])
  leader = ARGV[1]
end
local held = redis.call('GET', KEYS[4])
if held and held ~= ARGV[5] and string.sub(held, 1, #ARGV[1] + 1) == ARGV[1] .. '#' then
  redis.call('DEL', KEYS[4])
end
return {'', leader}`;

/** KEYS: node, nodes, leader, lock. ARGV: id, name. */
const LEAVE = `
local found = redis.call('GET', KEYS[1])
if found and cjson.decode(found).id == ARGV[1] then
  redis.call('DEL', KEYS[1])
  redis.call('SREM', KEYS[2], ARGV[2])
end
if redis.call('GET', KEYS[3]) == ARGV[1] then redis.call('DEL', KEYS[3]) end
local held = redis.call('GET', KEYS[4])
if held and string.sub(held, 1, #ARGV[1] + 1) == ARGV[1] .. '#' then redis.call('DEL', KEYS[4]) end
return ''`;

/** KEYS: lock. ARGV: token, ttl, id. A node takes one lock at a time, so another one of its own is a leftover. */
const LOCK = `
local held = redis.call('GET', KEYS[1])
if held and string.sub(held, 1, #ARGV[3] + 1) ~= ARGV[3] .. '#' then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`;

/** KEYS: lock. ARGV: token, ttl. */
const RENEW = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1`;

/** KEYS: lock. ARGV: token. */
const UNLOCK = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`;

const REMEMBER = `
local function remember(key, state, exact, node)
  local time = redis.call('TIME')[1]
  redis.call('LPUSH', key, cjson.encode({state, exact, node, time}))
  redis.call('LTRIM', key, 0, 15)
  redis.call('EXPIRE', key, 604800)
end`;

/**
 * KEYS: lock, then one per version. ARGV: id, node, then state and exact of each. Returns a node per
 * version, or an empty list while another node writes. An equal state counts as announced if it is the
 * newest one; the same file also if it is not, for a minute: a node may look at it late.
 */
const CLAIM = `${REMEMBER}
local now = tonumber(redis.call('TIME')[1])
local found = {}
local isNew = false
for at = 2, #KEYS do
  local state, exact = ARGV[at * 2 - 1], ARGV[at * 2]
  found[at - 1] = ''
  for nth, text in ipairs(redis.call('LRANGE', KEYS[at], 0, -1)) do
    local known = cjson.decode(text)
    local isRecent = now - tonumber(known[4]) < 60
    if (nth == 1 and known[1] == state) or (isRecent and known[2] == exact) then
      found[at - 1] = known[3]
      break
    end
  end
  if found[at - 1] == '' then isNew = true end
end
if not isNew then return found end
local held = redis.call('GET', KEYS[1])
if held and string.sub(held, 1, #ARGV[1] + 1) ~= ARGV[1] .. '#' then return {} end
for at = 2, #KEYS do
  if found[at - 1] == '' then
    remember(KEYS[at], ARGV[at * 2 - 1], ARGV[at * 2], ARGV[2])
    found[at - 1] = ARGV[2]
  end
end
return found`;

/** KEYS: stream, open, then one per version. ARGV: length, message, node, name of the announcement or nothing, then state and exact of each. */
const SEND = `${REMEMBER}
for at = 3, #KEYS do remember(KEYS[at], ARGV[at * 2 - 1], ARGV[at * 2], ARGV[3]) end
if ARGV[4] ~= '' then redis.call('HSET', KEYS[2], ARGV[4], ARGV[2]) end
return redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[1], '*', 'message', ARGV[2])`;

/** KEYS: open. ARGV: how keys of nodes begin. Returns the messages of nodes that no longer run. */
const ORPHANS = `
local found = {}
for _, text in ipairs(redis.call('HVALS', KEYS[1])) do
  local message = cjson.decode(text)
  local node = redis.call('GET', ARGV[1] .. message.node)
  if not node or cjson.decode(node).id ~= message.id then table.insert(found, text) end
end
return found`;
