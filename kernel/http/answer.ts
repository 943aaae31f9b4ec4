import type { Request, Response } from "express";
import type { Answer, AnswerFilter } from "../contracts.js";

/** Sends answers: filters first, then one `writeHead` with every header. */
export class AnswerWriter {
  readonly #filters: AnswerFilter[] = [];

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
    const { body } = answer;
    const length = typeof body === "string" ? Buffer.byteLength(body) : body.length;
    const headers: Record<string, string> = {
      ...req.ctx.outgoing,
      "Content-Type": answer.type,
      "Content-Length": String(length),
      ...answer.headers,
    };
    // Written at once: the prototype's writeHead need not add them again.
    req.ctx.outgoing = {};
    res.writeHead(answer.status ?? 200, headers);
    if (req.method === "HEAD") res.end();
    else res.end(body);
  }
}

/** The JSON answer of a value. */
export function jsonAnswer(body: unknown, options: Omit<Answer, "type" | "body"> = {}): Answer {
  return { ...options, type: "application/json; charset=utf-8", body: JSON.stringify(body) };
}
