// Visitors and writers that go on while something fails, and what they see.
import { setTimeout as delay } from "node:timers/promises";
import { account, picturePath, publicPaths, type FaultNode } from "./fault-cluster.js";

const PATIENCE_MS = 15_000;
const READERS_PER_NODE = 2;
const READ_PAUSE_MS = 10;
const WRITE_PAUSE_MS = 100;
const PROBE_MS = 200;

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
    this.#running = Promise.all([...readers, ...writers]);
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
  readonly text: string;
}

function isRefusal({ status, hasRetryAfter }: Written): boolean {
  return status === 507 || (status === 503 && hasRetryAfter);
}

async function createPage(
  node: FaultNode,
  name: string,
  { cookie, csrf }: Session,
): Promise<Written | null> {
  try {
    const response = await fetch(`${node.url}/admin/api/pages`, {
      method: "POST",
      headers: {
        cookie,
        "x-csrf-token": csrf,
        "sec-fetch-site": "same-origin",
        "content-type": "application/json",
      },
      body: JSON.stringify({
        path: `03.notes/${name}/default.md`,
        content: `---\ntitle: ${name}\n---\nText\n`,
      }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await response.text();
    return { status: response.status, hasRetryAfter: response.headers.has("retry-after"), text };
  } catch {
    return null;
  }
}
