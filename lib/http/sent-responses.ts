import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** Event of a response whose status and headers have been written. */
export const ANSWERED = "answered";

/**
 * Calls `listener` once: when status and headers are written, or when the client disconnects before.
 *
 * @example
 * onAnswered(res, () => release(lock));
 */
export function onAnswered(res: ServerResponse, listener: () => void): void {
  const once = (): void => {
    res.off(ANSWERED, once).off("close", once);
    listener();
  };
  res.on(ANSWERED, once).on("close", once);
}

// No cache: statuses that the server wrote to connections without a response, as for a malformed body.
const refusals = new WeakMap<Duplex, number>();

/**
 * The status that was sent for a request, also when the client disconnected during the response; null when
 * the connection ended before a status was sent. Call when the response has ended.
 */
export function sentStatus(res: ServerResponse): number | null {
  return res.headersSent ? res.statusCode : (refusals.get(res.req.socket) ?? null);
}

/** Writes a whole response, such as `408 Request Timeout`, to a connection without a request, and closes it. */
export function refuseConnection(socket: Duplex, status: string): void {
  refusals.set(socket, Number.parseInt(status, 10));
  const body = JSON.stringify({ error: status.slice(4) });
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nX-Content-Type-Options: nosniff\r\n` +
      `Referrer-Policy: no-referrer\r\nX-Frame-Options: DENY\r\n` +
      `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
}
