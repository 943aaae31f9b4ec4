/** `GET /api/changes`: what has changed, at once, when it happens, or as a stream. */
import type { Request, Response } from "express";
import { z } from "zod";
import { type SiteContext, HttpError, type Changes } from "#kernel";
import type { ContentView } from "../../content/contract.js";
import { ChangeReader, type ChangesPage } from "../public-changes.js";
import { errorSchema } from "../schemas.js";
import { openView } from "./send.js";

const MAX_WAIT_SECONDS = 60;
/** A stream ends after this long: its client connects again, with its current rights. */
const MAX_STREAM_MS = 10 * 60_000;
const BEAT_MS = 25_000;
/** A client that reads slower than this is disconnected. */
const MAX_UNREAD_BYTES = 1_048_576;
const STREAM = "text/event-stream";
const PRIVATE = { "Cache-Control": "private, no-store" };

const query = z.object({
  since: z
    .string({ error: "expected one value" })
    .max(100, "expected a cursor of an earlier response")
    .optional()
    .describe(
      "`cursor` of the last response; without it there are no items, only the newest cursor",
    ),
  wait: z
    .string({ error: "expected one value" })
    .regex(/^\d{1,3}$/, `expected seconds from 0 to ${MAX_WAIT_SECONDS}`)
    .transform(Number)
    .refine((value) => value <= MAX_WAIT_SECONDS, `expected seconds from 0 to ${MAX_WAIT_SECONDS}`)
    .optional()
    .describe("Seconds to wait until something changes"),
});
const change = z.object({
  cursor: z.string(),
  at: z.number().describe("Unix ms"),
  kind: z.enum(["page", "record"]),
  key: z.string(),
  op: z.enum(["create", "update", "delete"]),
  url: z.string(),
});
const pageSchema = z.object({ items: z.array(change), cursor: z.string(), more: z.boolean() });

/** The route of changes; everyone sees those of pages and records that they may read. */
export function changesRoutes(site: SiteContext): void {
  const { changes, runtime, lifecycle } = site;
  const { journal } = changes;
  const reader = new ChangeReader(journal, runtime.clock);
  const waiters = new ChangeWaiters(changes);
  lifecycle.signal.addEventListener("abort", () => waiters.close(), { once: true });
  site.http.route({
    method: "get",
    path: "/api/changes",
    summary: "What has changed since a cursor; `Accept: text/event-stream` streams it",
    query,
    responses: { 200: pageSchema, 400: errorSchema, 410: errorSchema, 503: errorSchema },
    tool: {
      name: "list_changes",
      description: "Which pages and records have changed since a cursor of an earlier answer",
      query: ["since"],
    },
    handler: async (req, res, { query: { since, wait = 0 } }) => {
      if (req.accepts(["application/json", STREAM]) === STREAM)
        return stream(req, res, { site, reader, waiters, since: lastId(req) ?? since });
      const view = (): ContentView => openView(site, req);
      const first = await reader.read(since ?? (await journal.cursor()), view);
      const ms = since === undefined ? 0 : wait * 1_000;
      const page = await waitedFor(first, {
        res,
        ms,
        waiters,
        next: (at) => reader.read(at, view),
      });
      return res.closed ? undefined : site.http.json(req, res, page, { headers: PRIVATE });
    },
  });
}

function lastId({ headers }: Request): string | undefined {
  const header = headers["last-event-id"];
  return typeof header === "string" && header !== "" ? header.slice(0, 100) : undefined;
}

/** The wait of one client for a change. */
interface ChangeWait {
  res: Response;
  /** Maximum time. */
  ms: number;
  waiters: ChangeWaiters;
  /** Reads the changes after a cursor. */
  next(cursor: string): Promise<ChangesPage>;
}

/** The first page with a change that the visitor may see; an empty one when the time is over. */
async function waitedFor(first: ChangesPage, wait: ChangeWait): Promise<ChangesPage> {
  const { res, ms, waiters, next } = wait;
  const end = performance.now() + ms;
  let page = first;
  while (page.items.length === 0 && !page.more) {
    const left = end - performance.now();
    if (left <= 0 || !(await waiters.next(res, left, page.cursor))) break;
    page = await next(page.cursor);
  }
  return page;
}

/** The source of a stream of changes. */
interface ChangeSource {
  site: SiteContext;
  reader: ChangeReader;
  waiters: ChangeWaiters;
  /** Cursor of the last event that the client has; default: the newest. */
  since: string | undefined;
}

async function stream(req: Request, res: Response, source: ChangeSource): Promise<void> {
  const { site, reader, waiters, since } = source;
  waiters.assertRoom();
  const view = (): ContentView => openView(site, req);
  let cursor = since ?? (await site.changes.journal.cursor());
  // Fails with 410 before the stream begins.
  let page = await reader.read(cursor, view);
  const { ctx } = req;
  res.writeHead(200, {
    ...ctx.responseHeaders,
    ...PRIVATE,
    "Content-Type": `${STREAM}; charset=utf-8`,
    "X-Accel-Buffering": "no",
  });
  res.write(`id: ${cursor}\nevent: ready\ndata: {}\n\n`);
  const end = performance.now() + MAX_STREAM_MS;
  while (!res.closed && performance.now() < end && res.writableLength < MAX_UNREAD_BYTES) {
    res.write(formatEvents(page));
    cursor = page.cursor;
    if (!page.more) {
      const isChanged = await waiters.next(res, BEAT_MS, cursor);
      if (waiters.isClosed) break;
      // The cursor moves on, also past changes that the visitor may not see.
      if (!isChanged && !res.closed) res.write(`id: ${cursor}\n: beat\n\n`);
    }
    // The client connects again, and gets the error then.
    const next = await reader.read(cursor, view).catch(() => null);
    if (next === null) break;
    page = next;
  }
  res.end();
}

/** Only the last item of a batch has its cursor as `id`: a client that saw half of it gets it again. */
function formatEvents({ items }: ChangesPage): string {
  return items
    .map((item, at) => {
      const isLast = items[at + 1]?.cursor !== item.cursor;
      const id = isLast ? `id: ${item.cursor}\n` : "";
      return `${id}event: change\ndata: ${JSON.stringify(item)}\n\n`;
    })
    .join("");
}

/** Clients that wait at once, streams included. */
const MAX_WAITING = 1_000;
/** While clients wait, the journal is read this often, in ms: other processes write to it too. */
const POLL_MS = 1_000;

/** The response of a client that waits. */
interface OpenResponse {
  readonly closed: boolean;
  once(event: "close", listener: () => void): unknown;
  off(event: "close", listener: () => void): unknown;
}

/** Requests that wait for the next change. */
class ChangeWaiters {
  readonly #changes: Pick<Changes, "listen" | "journal">;
  readonly #wake = new Set<() => void>();
  #poll: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(changes: Pick<Changes, "listen" | "journal">) {
    this.#changes = changes;
    // The journal is an earlier listener: the batch is stored by now.
    changes.listen("pages.changes", () => void this.#look());
  }

  /** True when the site is closing. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  close(): void {
    this.#isClosed = true;
    this.#wakeAll();
  }

  /** @throws HttpError 503. */
  assertRoom(): void {
    if (this.#wake.size < MAX_WAITING) return;
    throw new HttpError(503, "too many clients wait for changes, try again", {
      headers: { "Retry-After": "10" },
    });
  }

  /**
   * Resolves with true once the newest cursor is another one than `cursor`, with false after `ms`, when
   * the client has left, or when the site closes.
   * @throws HttpError 503 when too many clients wait.
   */
  async next(res: OpenResponse, ms: number, cursor: string): Promise<boolean> {
    this.assertRoom();
    if (this.#isClosed || res.closed) return false;
    const isDone = (): boolean => this.#changes.journal.seen !== cursor;
    if (isDone()) return true;
    return new Promise<boolean>((resolve) => {
      const end = (result: boolean): void => {
        clearTimeout(timer);
        this.#remove(wake);
        res.off("close", leave);
        resolve(result);
      };
      const leave = (): void => end(false);
      const wake = (): void => {
        if (this.#isClosed) end(false);
        else if (isDone()) end(true);
      };
      const timer = setTimeout(leave, ms);
      timer.unref();
      this.#add(wake);
      res.once("close", leave);
    });
  }

  #add(wake: () => void): void {
    this.#wake.add(wake);
    this.#poll ??= setInterval(() => void this.#look(), POLL_MS).unref();
  }

  #remove(wake: () => void): void {
    this.#wake.delete(wake);
    if (this.#wake.size > 0 || this.#poll === null) return;
    clearInterval(this.#poll);
    this.#poll = null;
  }

  async #look(): Promise<void> {
    if (this.#wake.size === 0) return;
    // While the store fails, clients go on waiting.
    await this.#changes.journal.cursor().catch(() => undefined);
    this.#wakeAll();
  }

  #wakeAll(): void {
    const waiting = [...this.#wake];
    for (const wake of waiting) wake();
  }
}
