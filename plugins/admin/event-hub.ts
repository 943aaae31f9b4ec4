import { ulid } from "ulid";
import { z } from "zod";
import {
  HttpError,
  SiteError,
  type Changes,
  type Clock,
  type Change,
  type ChangeBatch,
} from "#kernel";
import type { PresentPerson } from "./contract.js";
import type { ContentService } from "../content/contract.js";

/** The open response of a client. */
export interface EventStream {
  readonly writableLength: number;
  write(text: string): unknown;
  end(): unknown;
}
type Shown = { readonly path: string } & Readonly<Record<string, unknown>>;
/** A client that listens. */
export interface Listener {
  readonly userId: string;
  readonly stream: EventStream;
  /** False for pages that the client may not read. */
  sees(path: string): boolean;
}
interface Client extends Listener {
  /** Unix ms: then the client connects again, with its current rights. */
  readonly until: number;
  /** Stops counting it. */
  discount(): void;
}

const MAX_PER_USER = 6;
const MAX_AGE_MS = 10 * 60_000;
/** A client that reads slower than this is disconnected. */
const MAX_WAITING_BYTES = 1_048_576;

type Releases = Pick<ContentService, "isPublished">;

/** Sends changes of pages and presence, on any node, to the clients of this process. */
export class EventHub {
  readonly #changes: Changes;
  readonly #clock: Clock;
  readonly #content: Releases;
  readonly #clients = new Set<Client>();
  readonly #people: PresentPeople;
  readonly #streams: OpenStreams;

  constructor(changes: Changes, clock: Clock, content: Releases) {
    this.#changes = changes;
    this.#clock = clock;
    this.#content = content;
    this.#streams = new OpenStreams(changes, clock);
    this.#people = new PresentPeople(changes, clock, (path) => {
      this.#send("presence", { path, people: this.#people.at(path) });
    });
    changes.react("admin.events", (batch) => {
      for (const { event, data } of this.#toEvents(batch)) this.#send(event, data, batch.cursor);
    });
  }

  /**
   * Adds a client, and sends what it has missed since `lastId`; empty: everything. Returns how to remove it.
   * @throws HttpError 429 when the user has too many.
   */
  add(listener: Listener, lastId: string | undefined): () => void {
    this.assertRoom(listener.userId);
    const { stream } = listener;
    const until = this.#clock.now() + MAX_AGE_MS;
    const client = { ...listener, until, discount: this.#streams.add(listener.userId) };
    stream.write(formatMessage("ready", { cursor: this.#changes.cursor }, this.#changes.cursor));
    if (lastId !== undefined) this.#resume(client, lastId);
    this.#clients.add(client);
    return () => this.#remove(client);
  }

  /** @throws HttpError 429. */
  assertRoom(userId: string): void {
    if (this.#streams.count(userId) < MAX_PER_USER) return;
    const message = `${MAX_PER_USER} event streams of this account are open; close one`;
    throw new HttpError(429, message, { headers: { "Retry-After": "10" } });
  }

  /** Notes which page a person has open, null for none; returns who else has it open. */
  setPresent(person: PresentPerson, path: string | null): readonly PresentPerson[] {
    return this.#people.set(person, path);
  }

  /** Keeps connections open, ends old ones, and forgets people who have left. */
  beat(): void {
    const now = this.#clock.now();
    this.#people.beat();
    this.#streams.beat();
    for (const client of this.#clients) {
      if (client.until <= now) this.#end(client);
      else client.stream.write(": beat\n\n");
    }
  }

  close(): void {
    for (const client of this.#clients) this.#end(client);
  }

  #resume({ stream, sees }: Client, lastId: string): void {
    try {
      for (const batch of this.#changes.since(lastId)) {
        for (const { event, data } of this.#toEvents(batch)) {
          if (!sees(data.path)) continue;
          stream.write(formatMessage(event, data, batch.cursor));
        }
      }
    } catch (error) {
      if (!(error instanceof SiteError)) throw error;
      // Too long ago: the client reads everything again.
      stream.write(formatMessage("reset", {}));
    }
  }

  /** The events of a batch of changes. */
  #toEvents({ changes, actor, at }: ChangeBatch): PanelEvent[] {
    const by = actor === null ? null : { id: actor.id, name: actor.name };
    return changes.flatMap((change) =>
      change.kind === "page" ? this.#toPageEvent(change, { by, at }) : [],
    );
  }

  #toPageEvent(
    { key: path, op, before, after }: Change<"page">,
    about: Pick<PanelEvent["data"], "by" | "at">,
  ): PanelEvent[] {
    const title = (after ?? before)?.title ?? "";
    if (op === "delete") return [{ event: "deleted", data: { path, title, etag: null, ...about } }];
    // Only the surroundings of the page have changed, or its file cannot be read.
    if (after === null || before?.hash === after.hash) return [];
    const wasPublished = before !== null && this.#content.isPublished(before);
    const isNew = !wasPublished && this.#content.isPublished(after);
    const data = { path, title, etag: after.hash, ...about };
    return [{ event: isNew ? "published" : "saved", data }];
  }

  #send(event: string, data: Shown, id?: string): void {
    const message = formatMessage(event, data, id);
    for (const client of this.#clients) {
      if (!client.sees(data.path)) continue;
      if (client.stream.writableLength > MAX_WAITING_BYTES) this.#end(client);
      else client.stream.write(message);
    }
  }

  #remove(client: Client): void {
    this.#clients.delete(client);
    client.discount();
  }

  #end(client: Client): void {
    this.#remove(client);
    client.stream.end();
  }
}

function formatMessage(event: string, data: unknown, id?: string): string {
  const line = id === undefined || id === "" ? "" : `id: ${id}\n`;
  return `${line}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Something that happened to a page, as sent to open panels. */
interface PanelEvent {
  readonly event: "saved" | "published" | "deleted";
  readonly data: {
    readonly path: string;
    readonly title: string;
    readonly etag: string | null;
    /** Null: changed on the disk. */
    readonly by: { readonly id: string; readonly name: string } | null;
    /** Unix ms. */
    readonly at: number;
  };
}

/** A process that ends without a word is forgotten after this; each repeats its counts more often. */
const KNOWN_MS = 60_000;
const streamShape = z.object({ user: z.string(), open: z.int().min(1) });

/** Counts the open event streams of each account on all nodes: each node publishes its own counts. */
class OpenStreams {
  readonly #changes: Changes;
  readonly #clock: Clock;
  readonly #process = ulid();
  readonly #own = new Map<string, number>();
  /** By process and user; times in Unix ms. */
  readonly #others = new Map<string, z.output<typeof streamShape> & { readonly until: number }>();

  constructor(changes: Changes, clock: Clock) {
    this.#changes = changes;
    this.#clock = clock;
    changes.react("admin.streams", (batch) => this.#take(batch));
  }

  /** Streams of a user on all nodes. */
  count(user: string): number {
    const now = this.#clock.now();
    let sum = this.#own.get(user) ?? 0;
    for (const one of this.#others.values()) {
      if (one.user === user && one.until > now) sum += one.open;
    }
    return sum;
  }

  /** Counts a stream of this process; returns how to remove it. */
  add(user: string): () => void {
    this.#change(user, 1);
    let isOpen = true;
    return () => {
      if (isOpen) this.#change(user, -1);
      isOpen = false;
    };
  }

  /** Repeats the counts of this process, and removes those of processes that ended. */
  beat(): void {
    const now = this.#clock.now();
    for (const [key, { until }] of this.#others) if (until <= now) this.#others.delete(key);
    this.#publish([...this.#own.keys()]);
  }

  #change(user: string, by: number): void {
    const open = (this.#own.get(user) ?? 0) + by;
    if (open > 0) this.#own.set(user, open);
    else this.#own.delete(user);
    this.#publish([user]);
  }

  #publish(users: readonly string[]): void {
    if (users.length === 0) return;
    const changes = users.map((user) => {
      const open = this.#own.get(user);
      const op = open === undefined ? "delete" : "update";
      const after = open === undefined ? null : { user, open };
      return { kind: "stream", key: `${this.#process} ${user}`, op, before: null, after } as const;
    });
    // Nothing listens that could fail.
    void this.#changes.publish({ changes, tags: new Set<string>(), isTransient: true });
  }

  #take({ changes, origin }: ChangeBatch): void {
    if (origin === null) return;
    const until = this.#clock.now() + KNOWN_MS;
    for (const change of changes) {
      if (change.kind !== "stream") continue;
      const { data } = streamShape.safeParse(change.after);
      if (data === undefined) this.#others.delete(change.key);
      else this.#others.set(change.key, { ...data, until });
    }
  }
}

const PRESENT_MS = 60_000;
const presenceShape = z.object({ name: z.string(), path: z.string() });

interface Presence extends z.output<typeof presenceShape> {
  /** Unix ms. */
  readonly until: number;
}

/** Tracks which page each person has open, on all nodes: each publishes what it learns. */
class PresentPeople {
  readonly #changes: Changes;
  readonly #clock: Clock;
  readonly #announce: (path: string) => void;
  readonly #present = new Map<string, Presence>();

  /** `announce` is called with the path of a page whose people have changed. */
  constructor(changes: Changes, clock: Clock, announce: (path: string) => void) {
    this.#changes = changes;
    this.#clock = clock;
    this.#announce = announce;
    changes.react("admin.presence", (batch) => this.#take(batch));
  }

  /** Notes which page a person has open, null for none; returns who else has it open. */
  set({ id, name }: PresentPerson, path: string | null): readonly PresentPerson[] {
    const after = path === null ? null : { name, path };
    const op = path === null ? "delete" : "update";
    const change = { kind: "presence", key: id, op, before: null, after } as const;
    const batch = { changes: [change], tags: new Set<string>(), isTransient: true };
    // Nothing listens that could fail.
    void this.#changes.publish(batch);
    return path === null ? [] : this.at(path).filter((person) => person.id !== id);
  }

  /** Returns the people who have a page open. */
  at(path: string): PresentPerson[] {
    const now = this.#clock.now();
    return [...this.#present]
      .filter(([, one]) => one.path === path && one.until > now)
      .map(([id, { name }]) => ({ id, name }));
  }

  /** Removes people who have left without a word. */
  beat(): void {
    const now = this.#clock.now();
    for (const [id, { path, until }] of this.#present) {
      if (until > now) continue;
      this.#present.delete(id);
      this.#announce(path);
    }
  }

  #take({ changes }: ChangeBatch): void {
    for (const change of changes) {
      if (change.kind === "presence")
        this.#set(change.key, presenceShape.safeParse(change.after).data);
    }
  }

  #set(id: string, presence: z.output<typeof presenceShape> | undefined): void {
    const before = this.#present.get(id)?.path;
    if (presence === undefined) this.#present.delete(id);
    else this.#present.set(id, { ...presence, until: this.#clock.now() + PRESENT_MS });
    if (before === presence?.path) return;
    for (const path of [before, presence?.path]) if (path !== undefined) this.#announce(path);
  }
}
