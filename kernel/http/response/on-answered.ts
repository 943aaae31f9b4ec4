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
