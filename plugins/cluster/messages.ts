/** Sends messages to the other nodes. */
import type { ChangeBatch } from "#kernel";
import type { Announced, Message, NodeRecord, Transport, Version } from "./transport.js";

/** Above these, other nodes read everything again. */
const MAX_CHANGES = 1_000;
const MAX_TAGS = 10_000;
/** Versions of messages that could not be sent; above it they are dropped. */
const MAX_UNSENT = 50_000;

const NOTHING = { changes: [], tags: [] };
const NOTHING_ANNOUNCED: Announced = { begun: [], done: [] };

/** The messages of this node, in the order of the calls. Only `retry` rejects. */
export class Sender {
  readonly #transport: Pick<Transport, "send">;
  readonly #node: Pick<NodeRecord, "id" | "name">;
  #sending: Promise<unknown> = Promise.resolve();
  /** What could not be sent: the other nodes then read everything again. */
  #unsent: Announced | null = null;
  #failed = 0;
  /** What the message that waits drops from caches; `tags` null: everything. */
  #invalid: { readonly tags: ReadonlySet<string> | null } | null = null;

  constructor(transport: Pick<Transport, "send">, node: Pick<NodeRecord, "id" | "name">) {
    this.#transport = transport;
    this.#node = node;
  }

  /** Messages that could not be sent; one replaces them. */
  get unsent(): number {
    return this.#failed;
  }

  /** Resolves when what was sent before has arrived, or has failed. */
  async settled(): Promise<void> {
    await this.#sending;
  }

  /** Sends a batch whose versions this node announces; false: it may not have arrived, so the leader announces them. */
  begun(batch: ChangeBatch, versions: readonly Version[]): Promise<boolean> {
    return this.#send(this.#toMessage(batch), { begun: versions, done: [] });
  }

  /** Tells the other nodes what to drop from their caches. What waits to be sent is one message. */
  invalidated({ tags }: Pick<ChangeBatch, "tags">): void {
    const waiting = this.#invalid;
    const isAll = tags === null || waiting?.tags === null;
    this.#invalid = { tags: isAll ? null : new Set([...(waiting?.tags ?? []), ...tags]) };
    if (waiting !== null) return;
    void this.#inTurn(() => {
      const invalid = this.#invalid?.tags ?? null;
      this.#invalid = null;
      return this.#deliver(this.#toMessage({ changes: [], tags: invalid }), NOTHING_ANNOUNCED);
    });
  }

  /** Says that what follows from the versions is stored. */
  async done(versions: readonly Version[]): Promise<void> {
    await this.#send({ ...this.#from(), ...NOTHING }, { begun: [], done: versions });
  }

  /** A state that is not stored: when it does not arrive, the next one replaces it. */
  async transient({ changes }: ChangeBatch): Promise<void> {
    if (this.#unsent !== null) return;
    const listed = changes.map(({ kind, key, op, after }) => ({ kind, key, op, after }));
    const message = { ...this.#from(), changes: listed, tags: [], isTransient: true };
    await this.#inTurn(() => this.#transport.send(message).catch(() => ""));
  }

  /** Sends what could not be sent. @throws ERR_CLUSTER_DOWN (503). */
  retry(): Promise<void> {
    const sent = this.#sending.then(async () => {
      if (this.#unsent === null) return;
      await this.#transport.send({ ...this.#from(), changes: null, tags: null }, this.#unsent);
      [this.#unsent, this.#failed] = [null, 0];
    });
    this.#sending = sent.catch(() => undefined);
    return sent;
  }

  #send(message: Message, notice: Announced): Promise<boolean> {
    return this.#inTurn(() => this.#deliver(message, notice));
  }

  async #deliver(message: Message, notice: Announced): Promise<boolean> {
    try {
      if (this.#unsent !== null) throw new Error("earlier messages are not sent");
      await this.#transport.send(message, notice);
      return true;
    } catch {
      const { done, left = [] } = this.#unsent ?? { done: [] };
      this.#failed += 1;
      this.#unsent = {
        begun: [],
        done: [...done, ...notice.done].slice(-MAX_UNSENT),
        left: [...left, ...notice.begun].slice(-MAX_UNSENT),
      };
      return false;
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const sent = this.#sending.then(work);
    this.#sending = sent;
    return sent;
  }

  #from(): { id: string; node: string } {
    return { id: this.#node.id, node: this.#node.name };
  }

  #toMessage({ changes, tags }: Pick<ChangeBatch, "changes" | "tags">): Message {
    const isLarge = changes.length > MAX_CHANGES || (tags?.size ?? 0) > MAX_TAGS;
    if (isLarge) return { ...this.#from(), changes: null, tags: null };
    const listed = changes.map(({ kind, key, op, to }) => {
      return { kind, key, op, ...(to !== undefined && { to }) };
    });
    return { ...this.#from(), changes: listed, tags: tags === null ? null : [...tags] };
  }
}
