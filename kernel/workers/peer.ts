/** Calls between two processes over their IPC channel. */
import { z } from "zod";
import { HttpError, SiteError } from "../errors.js";

/** Longest wait for a reply, in ms. */
const LIMIT_MS = 10_000;

/** Where a call goes; null: to the process at the other end. */
const targetShape = z.enum(["primary", "leader", "others"]).nullable();
/** Where a worker sends a call. */
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
const packetShape = z.union([callShape, replyShape]);
type Packet = z.output<typeof packetShape>;

/** One end of an IPC channel. */
export interface Channel {
  /** `failed` is called when the packet cannot be sent. */
  send(packet: object, failed: () => void): void;
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

/** Makes calls to the process at the other end, and answers its calls. */
export class Peer {
  readonly #channel: Channel;
  readonly #answer: (call: ArrivedCall) => unknown;
  readonly #waiting = new Map<number, Waiter>();
  #seq = 0;
  #isClosed = false;

  constructor(channel: Channel, answer: (call: ArrivedCall) => unknown) {
    this.#channel = channel;
    this.#answer = answer;
  }

  /** @throws the error of the handler; ERR_WORKERS_SILENT (503) without a reply. */
  call(name: string, input: unknown, to: Target | null = null): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(silent(name));
    const seq = ++this.#seq;
    return new Promise((resolve, reject) => {
      const fail = (): void => this.#settle(seq)?.reject(silent(name));
      const timer = setTimeout(fail, LIMIT_MS).unref();
      this.#waiting.set(seq, { resolve, reject, timer });
      this.#channel.send({ call: name, seq, to, input }, fail);
    });
  }

  /** Takes what arrives on the channel; ignores what is not a packet. */
  take(message: unknown): void {
    const packet = packetShape.safeParse(message).data;
    if (packet === undefined) return;
    if ("call" in packet) void this.#reply(packet);
    else this.#finish(packet);
  }

  /** Rejects what waits for a reply: the other process has ended. */
  close(): void {
    this.#isClosed = true;
    for (const seq of this.#waiting.keys()) this.#settle(seq)?.reject(silent("call"));
  }

  #finish({ reply, value, error }: Extract<Packet, { reply: number }>): void {
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

  async #reply({ call: name, seq, to, input }: Extract<Packet, { call: string }>): Promise<void> {
    let answer: object;
    try {
      answer = { reply: seq, value: (await this.#answer({ name, to, input })) ?? null };
    } catch (error) {
      answer = { reply: seq, error: fromError(error) };
    }
    if (!this.#isClosed) this.#channel.send(answer, () => undefined);
  }
}

/** The error of a call without a reply. */
export function silent(name: string): HttpError {
  return new HttpError(503, `no worker answers ${JSON.stringify(name)}`, {
    code: "ERR_WORKERS_SILENT",
    headers: { "Retry-After": "2" },
    fix: "try again: the primary process replaces workers that end",
  });
}

function fromError(error: unknown): z.output<typeof errorShape> {
  if (!(error instanceof SiteError)) return { code: "ERR_WORKERS_CALL", message: String(error) };
  const { code, message, fix } = error;
  return { code, message, ...(fix !== undefined && { fix }), ...statusOf(error) };
}

function statusOf(error: SiteError): { status?: number } {
  return error instanceof HttpError ? { status: error.status } : {};
}

function toError({ code, message, fix = "", status }: z.output<typeof errorShape>): SiteError {
  if (status === undefined) return new SiteError(code, message, { fix });
  return new HttpError(status, message, { code, fix });
}
