// Visitors and writers that go on while something fails, and what they see.
import { setTimeout as delay } from "node:timers/promises";
import { account, picturePath, publicPaths, type FaultNode } from "./fault-cluster.js";

const PATIENCE_MS = 15_000;
const READERS_PER_NODE = 2;
const READ_PAUSE_MS = 10;
const WRITE_PAUSE_MS = 100;
const PROBE_MS = 200;
const CONTEST_PAUSE_MS = 300;
/** Statuses of a save with `If-Match`: done, another version, not possible now. */
const EXPECTED = new Set([200, 409, 503, 507]);

/** What visitors of public pages saw. */
export interface ReadTally {
  count: number;
  /** `status address` of responses other than 200, also after the other node was asked. */
  failed: string[];
  longestMs: number;
  /** Address of that request. */
  longest: string;
}
/** What writers saw. */
export interface WriteTally {
  /** Titles of pages whose creation was confirmed. */
  confirmed: string[];
  /** 503 with Retry-After, or 507: the disk is full. */
  refused: number;
  /** No response: the outcome is unknown. */
  unanswered: number;
  /** Any other response. */
  wrong: string[];
  /** When the last confirmed page was confirmed by each node, in ms of `performance.now()`. */
  readonly confirmedAt: Map<string, number[]>;
}

/** What two writers of one version saw, with `If-Match`. */
export interface ContestTally {
  rounds: number;
  /** Rounds in which one of them was confirmed. */
  won: number;
  /** Responses of rounds in which both were. */
  readonly twice: string[];
}

/** Which nodes a balancer sends requests to: one that does not respond is out until it is healthy. */
class Rotation {
  readonly #down = new Set<FaultNode>();

  isUp(node: FaultNode): boolean {
    return !this.#down.has(node);
  }

  takeOut(node: FaultNode, signal: AbortSignal): void {
    if (this.#down.has(node)) return;
    this.#down.add(node);
    void this.#probe(node, signal);
  }

  async #probe(node: FaultNode, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await ask(node, "/health/ready", "")) !== 200) await delay(PROBE_MS);
    this.#down.delete(node);
  }
}

/** Load on both nodes until `stop`. */
export class Load {
  readonly reads: ReadTally = { count: 0, failed: [], longestMs: 0, longest: "" };
  readonly writes: WriteTally = {
    confirmed: [],
    refused: 0,
    unanswered: 0,
    wrong: [],
    confirmedAt: new Map(),
  };
  readonly contest: ContestTally = { rounds: 0, won: 0, twice: [] };
  readonly #nodes: readonly FaultNode[];
  readonly #ending = new AbortController();
  readonly #title: string;
  readonly #rotation = new Rotation();
  #running: Promise<unknown> = Promise.resolve();
  #next = 0;

  constructor(nodes: readonly FaultNode[], title: string) {
    this.#nodes = nodes;
    this.#title = title;
  }

  async start(): Promise<void> {
    const [first] = this.#nodes;
    if (first === undefined) throw new Error("no node");
    const session = await signIn(first);
    const readers = this.#nodes.flatMap((node) =>
      Array.from({ length: READERS_PER_NODE }, (_, at) =>
        this.#read(node, at === 0 ? session.cookie : ""),
      ),
    );
    const writers = this.#nodes.map((node) => this.#write(node, session));
    this.#running = Promise.all([...readers, ...writers, this.#contend(session)]);
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#running;
  }

  /** Like a visitor behind a balancer: a node that does not respond is replaced by the other. */
  async #read(node: FaultNode, cookie: string): Promise<void> {
    const other = this.#nodes.find((one) => one !== node) ?? node;
    for (let at = 0; !this.#ending.signal.aborted; at += 1) {
      const path = pathOf(at);
      const began = performance.now();
      const first = this.#rotation.isUp(node) ? node : other;
      const second = first === node ? other : node;
      let status = await ask(first, path, cookie);
      if (status === null) {
        this.#rotation.takeOut(first, this.#ending.signal);
        status = await ask(second, path, cookie);
      }
      this.reads.count += 1;
      const ms = performance.now() - began;
      if (ms > this.reads.longestMs) Object.assign(this.reads, { longestMs: ms, longest: path });
      if (status !== 200) this.reads.failed.push(`${status ?? "no response"} ${path}`);
      await delay(READ_PAUSE_MS);
    }
  }

  async #write(node: FaultNode, session: Session): Promise<void> {
    while (!this.#ending.signal.aborted) {
      const name = `${this.#title}-${node.name}-${this.#next++}`;
      const response = await createPage(node, name, session);
      if (response === null) this.writes.unanswered += 1;
      else if (response.status === 201) this.#confirm(node, name);
      else if (isRefusal(response)) this.writes.refused += 1;
      else this.writes.wrong.push(`${response.status} ${response.text.slice(0, 200)}`);
      await delay(WRITE_PAUSE_MS);
    }
  }

  /** All nodes are asked for the same change of the same version, again and again. */
  async #contend(session: Session): Promise<void> {
    const name = `${this.#title}-contest`;
    while (!this.#ending.signal.aborted) {
      const etag = await this.#version(name, session);
      if (etag !== null) {
        const saves = this.#nodes.map((node) => savePage(node, { name, etag }, session));
        const statuses = (await Promise.all(saves)).map((saved) => saved?.status ?? null);
        const confirmed = statuses.filter((status) => status === 200).length;
        this.contest.rounds += 1;
        if (confirmed === 1) this.contest.won += 1;
        if (confirmed > 1) this.contest.twice.push(statuses.join(" and "));
        const wrong = statuses.filter((status) => status !== null && !EXPECTED.has(status));
        this.writes.wrong.push(...wrong.map((status) => `${status} with If-Match`));
      }
      await delay(CONTEST_PAUSE_MS);
    }
  }

  /** The ETag of a page, which is created when it does not exist; null when no node tells it. */
  async #version(name: string, session: Session): Promise<string | null> {
    const [node] = this.#nodes.filter((one) => this.#rotation.isUp(one));
    if (node === undefined) return null;
    const response = await sent(node, addressOf(name), session, { method: "GET" });
    if (response?.status !== 404) return response?.etag ?? null;
    await createPage(node, name, session);
    return null;
  }

  #confirm(node: FaultNode, name: string): void {
    this.writes.confirmed.push(name);
    const times = this.writes.confirmedAt.get(node.name) ?? [];
    this.writes.confirmedAt.set(node.name, [...times, performance.now()]);
  }
}

/** Every eighth request is a variant of an image that may not exist yet. */
function pathOf(at: number): string {
  if (at % 8 === 7) return `${picturePath}?w=${[320, 640, 768, 1024][at % 4]}&q=${50 + (at % 40)}`;
  return publicPaths[at % publicPaths.length] ?? "/";
}

async function ask(node: FaultNode, path: string, cookie: string): Promise<number | null> {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(node.url + path, { headers: { cookie }, signal });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return null;
  }
}

/** A session of the panel. */
interface Session {
  readonly cookie: string;
  readonly csrf: string;
}

async function signIn(node: FaultNode): Promise<Session> {
  const response = await fetch(`${node.url}/admin/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(account),
  });
  if (response.status !== 200)
    throw new Error(`login: ${response.status} ${await response.text()}`);
  const { csrfToken } = (await response.json()) as { csrfToken: string };
  return {
    cookie: response.headers.getSetCookie()[0]?.split(";")[0] ?? "",
    csrf: csrfToken,
  };
}

/** A response to a write. */
interface Written {
  readonly status: number;
  readonly hasRetryAfter: boolean;
  readonly etag: string | null;
  readonly text: string;
}

function isRefusal({ status, hasRetryAfter }: Written): boolean {
  return status === 507 || (status === 503 && hasRetryAfter);
}

function createPage(node: FaultNode, name: string, session: Session): Promise<Written | null> {
  const content = `---\ntitle: ${name}\n---\nText\n`;
  const body = JSON.stringify({ path: `03.notes/${name}/default.md`, content });
  return sent(node, "/admin/api/pages", session, { method: "POST", body });
}

function addressOf(name: string): string {
  return `/admin/api/pages/03.notes/${name}/default.md`;
}

/** Saves a version of its own over the one of `etag`. */
function savePage(
  node: FaultNode,
  { name, etag }: { name: string; etag: string },
  session: Session,
): Promise<Written | null> {
  const text = `${node.name} at ${performance.now()}`;
  const body = JSON.stringify({ content: `---\ntitle: Contest\n---\n${text}\n` });
  return sent(node, addressOf(name), session, { method: "PUT", body, etag });
}

/** A request of the panel; null without a response. */
async function sent(
  node: FaultNode,
  path: string,
  { cookie, csrf }: Session,
  { method, body, etag }: { method: string; body?: string; etag?: string | undefined },
): Promise<Written | null> {
  try {
    const response = await fetch(node.url + path, {
      method,
      headers: {
        cookie,
        "x-csrf-token": csrf,
        "sec-fetch-site": "same-origin",
        "content-type": "application/json",
        ...(etag !== undefined && { "if-match": etag }),
      },
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await response.text();
    const { status, headers } = response;
    return { status, hasRetryAfter: headers.has("retry-after"), etag: headers.get("etag"), text };
  } catch {
    return null;
  }
}
