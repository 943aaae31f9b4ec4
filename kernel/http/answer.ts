import type { Request, Response } from "express";
import type { Answer, AnswerFilter } from "../contracts.js";

type HeaderBlock = Readonly<Record<string, string>>;

/** Sends answers: filters first, then one `writeHead` with every header. */
export class AnswerWriter {
  readonly #filters: AnswerFilter[] = [];
  readonly #flat = new WeakMap<Answer, WeakMap<HeaderBlock, string[]>>();

  addFilter(filter: AnswerFilter): void {
    this.#filters.push(filter);
  }

  /** Writes `answer`; HEAD gets the headers alone. Does nothing when an answer has gone out already. */
  send(req: Request, res: Response, answer: Answer): void {
    if (res.headersSent || res.destroyed) return;
    if (answer.final !== true) {
      for (const filter of this.#filters) {
        if (filter(req, res, answer) === true) return;
      }
    }
    const { outgoing } = req.ctx;
    const headers =
      answer.final === true
        ? this.#prepared(answer, outgoing)
        : [REQUEST_ID, req.ctx.id, ...flat(answer, outgoing)];
    // Written at once: the prototype's writeHead need not add them again.
    req.ctx.outgoing = WRITTEN;
    res.writeHead(answer.status ?? 200, headers);
    if (req.method === "HEAD") res.end();
    else res.end(answer.body);
  }

  /** A final answer goes out many times, each time with one of a few header blocks. */
  #prepared(answer: Answer, outgoing: HeaderBlock): string[] {
    const byBlock = this.#flat.get(answer) ?? new WeakMap<HeaderBlock, string[]>();
    this.#flat.set(answer, byBlock);
    const known = byBlock.get(outgoing);
    if (known !== undefined) return known;
    const headers = flat(answer, outgoing);
    byBlock.set(outgoing, headers);
    return headers;
  }
}

/**
 * Names the request in an answer that was made for it, as the log does. A held answer is of no
 * single request: its headers are prepared once.
 */
export const REQUEST_ID = "X-Request-Id";

/** The block of a request whose answer is being written: nothing is added to it any more. */
export const WRITTEN: HeaderBlock = Object.freeze({});

/** Names and values in turn, as `writeHead` takes them fastest. */
function flat(answer: Answer, outgoing: HeaderBlock): string[] {
  const { body } = answer;
  const length = typeof body === "string" ? Buffer.byteLength(body) : body.length;
  const headers = {
    ...outgoing,
    "Content-Type": answer.type,
    "Content-Length": String(length),
    ...answer.headers,
  };
  return Object.entries(headers).flat();
}

/** The JSON answer of a value. */
export function jsonAnswer(body: unknown, options: Omit<Answer, "type" | "body"> = {}): Answer {
  return { ...options, type: "application/json; charset=utf-8", body: JSON.stringify(body) };
}
