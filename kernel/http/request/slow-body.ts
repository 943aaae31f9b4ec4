import type { IncomingMessage, ServerResponse } from "node:http";

/** Minimum rate of a body once its grace period is over. */
const BYTES_PER_SECOND = 1_024;
const CHECKS = 8;

/** Called with a body that is too slow. */
export interface SlowBodyOptions {
  /** Grace period before the rate is checked, in ms. */
  graceMs: number;
  onSlow(req: IncomingMessage, res: ServerResponse): void;
}

/**
 * Watches the body of a request until it is complete, whether a handler reads it or not. Only time in
 * which the server reads from the connection counts: a handler may pause an upload.
 */
export function watchBody(
  { req, res }: { req: IncomingMessage; res: ServerResponse },
  { graceMs, onSlow }: SlowBodyOptions,
): void {
  const { socket } = req;
  const start = socket.bytesRead;
  const everyMs = graceMs / CHECKS;
  let waitedMs = 0;
  const timer = setInterval(() => {
    if (req.complete || socket.destroyed) return stop();
    if (socket.isPaused()) return;
    waitedMs += everyMs;
    const dueBytes = ((waitedMs - graceMs) / 1_000) * BYTES_PER_SECOND;
    if (waitedMs < graceMs || socket.bytesRead - start >= dueBytes) return;
    stop();
    onSlow(req, res);
  }, everyMs);
  timer.unref();
  const stop = (): void => clearInterval(timer);
  // A response may be sent before the body is complete: keep watching.
  res.once("close", () => {
    if (req.complete) stop();
  });
}
