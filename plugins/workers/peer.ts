/** Calls between two processes over their IPC channel. */
import { z } from "zod";
import { silentWorker } from "#kernel";
import { HttpError, SiteError } from "#lib/errors";
import { isRecord } from "#lib/values";

/** Longest wait for a reply, in ms. */
const LIMIT_MS = 10_000;

/** The target of a call; null: the process at the other end. */
const targetShape = z.enum(["primary", "leader", "others"]).nullable();
/** The target of a call of a worker. */
export type Target = NonNullable<z.output<typeof targetShape>>;

const errorShape = z.object({
  code: z.string(),
  message: z.string(),
  fix: z.string().exactOptional(),
  status: z.number().exactOptional(),
});
const callShape = z.object({
  call: z.string(),
  seq: z.number(),
  to: targetShape,
  input: z.unknown().optional(),
});
const replyShape = z.object({
  reply: z.number(),
  value: z.unknown().optional(),
  error: errorShape.exactOptional(),
});
const batchShape = z.object({ packets: z.array(z.unknown()) });
type Call = z.output<typeof callShape>;
type Reply = z.output<typeof replyShape>;

/** One end of an IPC channel. */
export interface Channel {
  /** `failed` is called when the message cannot be sent. */
  send(message: object, failed: () => void): void;
}
/** A call that arrived. */
export interface ArrivedCall {
  readonly name: string;
  readonly to: Target | null;
  readonly input: unknown;
}

interface Waiter {
  resolve(value: unknown): void;
  reject(error: Error): void;
  readonly timer: NodeJS.Timeout;
}

interface Outgoing {
  readonly packet: Call | Reply;
  failed(): void;
}

/**
 * Makes calls to the process at the other end, and answers its calls. What is sent in one turn of the event
 * loop is one message: a message costs more than what it carries.
 */
export class Peer {
  readonly #channel: Channel;
  readonly #answer: (call: ArrivedCall) => unknown;
  readonly #waiting = new Map<number, Waiter>();
  #outgoing: Outgoing[] = [];
  #seq = 0;
  #isClosed = false;

  constructor(channel: Channel, answer: (call: ArrivedCall) => unknown) {
    this.#channel = channel;
    this.#answer = answer;
  }

  /** @throws the error of the handler; ERR_WORKERS_SILENT (503) without a reply. */
  call(name: string, input: unknown, to: Target | null = null): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(silentWorker(name));
    const seq = ++this.#seq;
    return new Promise((resolve, reject) => {
      const failed = (): void => this.#settle(seq)?.reject(silentWorker(name));
      const timer = setTimeout(failed, LIMIT_MS).unref();
      this.#waiting.set(seq, { resolve, reject, timer });
      this.#send({ packet: { call: name, seq, to, input }, failed });
    });
  }

  /** Takes what arrives on the channel; ignores what is not a packet. */
  take(message: unknown): void {
    for (const packet of batchShape.safeParse(message).data?.packets ?? []) this.#takeOne(packet);
  }

  /** Rejects what waits for a reply: the other process has ended. */
  close(): void {
    this.#isClosed = true;
    for (const seq of this.#waiting.keys()) this.#settle(seq)?.reject(silentWorker("call"));
  }

  #takeOne(packet: unknown): void {
    if (isRecord(packet) && "reply" in packet) {
      const reply = replyShape.safeParse(packet).data;
      if (reply !== undefined) this.#finish(reply);
      return;
    }
    const call = callShape.safeParse(packet).data;
    if (call !== undefined) void this.#reply(call);
  }

  #send(outgoing: Outgoing): void {
    if (this.#outgoing.push(outgoing) > 1) return;
    setImmediate(() => {
      const sent = this.#outgoing;
      this.#outgoing = [];
      const failed = (): void => {
        for (const one of sent) one.failed();
      };
      this.#channel.send({ packets: sent.map(({ packet }) => packet) }, failed);
    });
  }

  #finish({ reply, value, error }: Reply): void {
    const waiter = this.#settle(reply);
    if (error === undefined) waiter?.resolve(value);
    else waiter?.reject(toError(error));
  }

  #settle(seq: number): Waiter | undefined {
    const waiter = this.#waiting.get(seq);
    this.#waiting.delete(seq);
    clearTimeout(waiter?.timer);
    return waiter;
  }

  async #reply({ call: name, seq, to, input }: Call): Promise<void> {
    let packet: Reply;
    try {
      packet = { reply: seq, value: (await this.#answer({ name, to, input })) ?? null };
    } catch (error) {
      packet = { reply: seq, error: fromError(error) };
    }
    if (!this.#isClosed) this.#send({ packet, failed: () => undefined });
  }
}

function fromError(error: unknown): z.output<typeof errorShape> {
  if (!(error instanceof SiteError)) return { code: "ERR_WORKERS_CALL", message: String(error) };
  const { code, message, fix } = error;
  return {
    code,
    message,
    ...(fix !== undefined && { fix }),
    ...(error instanceof HttpError && { status: error.status }),
  };
}

function toError({ code, message, fix = "", status }: z.output<typeof errorShape>): SiteError {
  if (status === undefined) return new SiteError(code, message, { fix });
  return new HttpError(status, message, { code, fix });
}
