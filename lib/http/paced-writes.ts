/** Large chunks of responses: written in turns with other work, and dropped when the client does not read them. */
import { ServerResponse } from "node:http";
import type { Express, Response } from "express";

/** How responses of many chunks share a process. */
export interface PacedWrites {
  /** Calls `write` in a later turn; the responses of one client share its turns. */
  inTurn(res: Response, write: () => void): void;
  /** Time in which a client must take some of what it has been sent, in ms. */
  readonly stalledMs: number;
  /** Called when a client has not done so, and its connection ends. */
  stalled(res: Response): void;
}

/** Smaller chunks, such as events, are written at once, in bytes. */
const PACED_BYTES = 16 * 1024;

/**
 * Lets the responses of `app` write large chunks in turns, whatever code writes them: the system copies each into
 * the buffers of the connection, megabytes of them, while all else waits. Ends connections whose client
 * does not read.
 */
export function paceWrites(app: Express, pace: PacedWrites): void {
  const { write, end } = ServerResponse.prototype;
  // No cache: responses whose chunk waits for its turn, and those whose client is watched.
  const waiting = new WeakSet<ServerResponse>();
  const watched = new WeakSet<ServerResponse>();

  function watch(res: Response): void {
    const { socket } = res;
    if (socket === null || socket.writableLength === 0 || watched.has(res)) return;
    const cut = (): void => {
      pace.stalled(res);
      socket.destroy();
    };
    watched.add(res);
    // Fires only when the system has taken none of the bytes in this time.
    const { timeout: before = 0 } = socket;
    socket.setTimeout(pace.stalledMs);
    // Node does not close a connection whose timeout has a listener.
    res.once("timeout", cut);
    // Node sets another limit once the response has ended.
    res.once("drain", () => {
      watched.delete(res);
      res.off("timeout", cut);
      socket.setTimeout(before);
    });
  }

  define(app.response, "write", function (...args) {
    const { socket } = this;
    if (socket === null || waiting.has(this) || !isLarge(args[0])) {
      return Reflect.apply(write, this, args);
    }
    waiting.add(this);
    socket.cork();
    pace.inTurn(this, () => {
      waiting.delete(this);
      socket.uncork();
      watch(this);
    });
    return Reflect.apply(write, this, args);
  });
  define(app.response, "end", function (...args) {
    const ended: unknown = Reflect.apply(end, this, args);
    watch(this);
    return ended;
  });
}

function isLarge(chunk: unknown): boolean {
  const isBytes = typeof chunk === "string" || chunk instanceof Uint8Array;
  return isBytes && chunk.length >= PACED_BYTES;
}

/** As a class does: middleware such as `compression` assigns its own to a response. */
function define(
  response: Response,
  name: "write" | "end",
  value: (this: Response, ...args: unknown[]) => unknown,
): void {
  Object.defineProperty(response, name, { value, writable: true, configurable: true });
}
