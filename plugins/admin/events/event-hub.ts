import { HttpError, SiteError, type Changes, type Clock } from "#kernel";
import type { PresentPerson } from "../contract.js";
import { OpenStreams } from "./open-streams.js";
import { panelEventsOf } from "./panel-events.js";
import { PresentPeople } from "./present-people.js";

/** The open response of a client. */
export interface EventStream {
  readonly writableLength: number;
  write(text: string): unknown;
  end(): unknown;
}
type Shown = { readonly path: string } & Readonly<Record<string, unknown>>;
/** Who listens. */
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

/** Sends changes of pages and presence, on any node, to the clients of this process. */
export class EventHub {
  readonly #changes: Changes;
  readonly #clock: Clock;
  readonly #clients = new Set<Client>();
  readonly #people: PresentPeople;
  readonly #streams: OpenStreams;

  constructor(changes: Changes, clock: Clock) {
    this.#changes = changes;
    this.#clock = clock;
    this.#streams = new OpenStreams(changes, clock);
    this.#people = new PresentPeople(changes, clock, (path) => {
      this.#send("presence", { path, people: this.#people.at(path) });
    });
    changes.react("admin.events", (batch) => {
      for (const { event, data } of panelEventsOf(batch)) this.#send(event, data, batch.cursor);
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
    stream.write(messageOf("ready", { cursor: this.#changes.cursor }, this.#changes.cursor));
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
        for (const { event, data } of panelEventsOf(batch)) {
          if (!sees(data.path)) continue;
          stream.write(messageOf(event, data, batch.cursor));
        }
      }
    } catch (error) {
      if (!(error instanceof SiteError)) throw error;
      // Too long ago: the client reads everything again.
      stream.write(messageOf("reset", {}));
    }
  }

  #send(event: string, data: Shown, id?: string): void {
    const message = messageOf(event, data, id);
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

function messageOf(event: string, data: unknown, id?: string): string {
  const line = id === undefined || id === "" ? "" : `id: ${id}\n`;
  return `${line}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
