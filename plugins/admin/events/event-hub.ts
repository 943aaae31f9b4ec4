import { HttpError, SiteError, type Changes, type Clock } from "#kernel";
import { pageEventsOf } from "./page-events.js";

/** The open response of a client. */
export interface EventStream {
  readonly writableLength: number;
  write(text: string): unknown;
  end(): unknown;
}
/** A person with a page open. */
export interface PresentPerson {
  readonly id: string;
  readonly name: string;
}
interface Client {
  readonly userId: string;
  readonly stream: EventStream;
  /** Unix ms: then the client connects again, with its current rights. */
  readonly until: number;
}

const MAX_PER_USER = 6;
const MAX_AGE_MS = 10 * 60_000;
/** A client that reads slower than this is disconnected. */
const MAX_WAITING_BYTES = 1_048_576;
const PRESENT_MS = 60_000;

/** Sends changes of pages and presence to the clients of this process. */
export class EventHub {
  readonly #changes: Changes;
  readonly #clock: Clock;
  readonly #clients = new Set<Client>();
  readonly #present = new Map<string, { person: PresentPerson; path: string; until: number }>();

  constructor(changes: Changes, clock: Clock) {
    this.#changes = changes;
    this.#clock = clock;
    changes.react("admin.events", (batch) => {
      for (const { event, data } of pageEventsOf(batch)) this.#send(event, data, batch.cursor);
    });
  }

  /**
   * Adds a client, and sends what it has missed since `lastId`. Returns how to remove it.
   * @throws HttpError 429 when the user has too many.
   */
  add(userId: string, stream: EventStream, lastId: string | undefined): () => void {
    this.assertRoom(userId);
    const client = { userId, stream, until: this.#clock.now() + MAX_AGE_MS };
    stream.write(messageOf("ready", { cursor: this.#changes.cursor }, this.#changes.cursor));
    if (lastId !== undefined && lastId !== "") this.#resume(client, lastId);
    this.#clients.add(client);
    return () => void this.#clients.delete(client);
  }

  /** @throws HttpError 429. */
  assertRoom(userId: string): void {
    const own = [...this.#clients].filter((client) => client.userId === userId);
    if (own.length < MAX_PER_USER) return;
    const message = `${MAX_PER_USER} event streams of this account are open; close one`;
    throw new HttpError(429, message, { headers: { "Retry-After": "10" } });
  }

  /** Notes which page a person has open, null for none; returns who else has it open. */
  setPresent(person: PresentPerson, path: string | null): readonly PresentPerson[] {
    const before = this.#present.get(person.id)?.path ?? null;
    if (path === null) this.#present.delete(person.id);
    else this.#present.set(person.id, { person, path, until: this.#clock.now() + PRESENT_MS });
    if (before !== path) for (const one of [before, path]) this.#announce(one);
    return path === null ? [] : this.#peopleAt(path).filter(({ id }) => id !== person.id);
  }

  /** Keeps connections open, ends old ones, and forgets people who have left. */
  beat(): void {
    const now = this.#clock.now();
    for (const [id, { path, until }] of this.#present) {
      if (until > now) continue;
      this.#present.delete(id);
      this.#announce(path);
    }
    for (const client of this.#clients) {
      if (client.until <= now) this.#end(client);
      else client.stream.write(": beat\n\n");
    }
  }

  close(): void {
    for (const client of this.#clients) this.#end(client);
  }

  #peopleAt(path: string): PresentPerson[] {
    const now = this.#clock.now();
    return [...this.#present.values()]
      .filter((one) => one.path === path && one.until > now)
      .map(({ person }) => person);
  }

  #announce(path: string | null): void {
    if (path !== null) this.#send("presence", { path, people: this.#peopleAt(path) });
  }

  #resume({ stream }: Client, lastId: string): void {
    try {
      for (const batch of this.#changes.since(lastId)) {
        for (const { event, data } of pageEventsOf(batch)) {
          stream.write(messageOf(event, data, batch.cursor));
        }
      }
    } catch (error) {
      if (!(error instanceof SiteError)) throw error;
      // Too long ago: the client reads everything again.
      stream.write(messageOf("reset", {}));
    }
  }

  #send(event: string, data: unknown, id?: string): void {
    const message = messageOf(event, data, id);
    for (const client of this.#clients) {
      if (client.stream.writableLength > MAX_WAITING_BYTES) this.#end(client);
      else client.stream.write(message);
    }
  }

  #end(client: Client): void {
    this.#clients.delete(client);
    client.stream.end();
  }
}

function messageOf(event: string, data: unknown, id?: string): string {
  const line = id === undefined || id === "" ? "" : `id: ${id}\n`;
  return `${line}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
