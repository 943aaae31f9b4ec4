import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Response } from "express";

/** Event of a response whose status and headers have been written. */
export const ANSWERED = "answered";

/** Calls `listener` once: when status and headers are written, or when the client disconnects before. */
export function onAnswered(res: Response, listener: () => void): void {
  const once = (): void => {
    res.off(ANSWERED, once).off("close", once);
    listener();
  };
  res.on(ANSWERED, once).on("close", once);
}

// No cache: statuses that the server wrote to connections without a response, as for a malformed body.
const refusals = new WeakMap<Duplex, number>();

/** Records that the server has written a response with `status` to the connection itself. */
export function recordRefusal(socket: Duplex, status: number): void {
  refusals.set(socket, status);
}

/**
 * The status that was sent for a request, also when the client disconnected during the response; null when
 * the connection ended before a status was sent. Call when the response has ended.
 */
export function sentStatus(res: ServerResponse): number | null {
  return res.headersSent ? res.statusCode : (refusals.get(res.req.socket) ?? null);
}
