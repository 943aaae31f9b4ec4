import type { NextFunction, Request, Response } from "express";
import type { Handler } from "../contracts.js";

/**
 * Handlers as one, each asked when the one before calls `next`. What Express's own stack does,
 * without a layer, a path to match and a copy of the address around each: a request passes a dozen.
 * A thrown error, a rejected promise and `next(error)` go to the last `next`; `next("route")` is a
 * plain `next()`.
 */
export function chain(handlers: readonly Handler[]): Handler {
  return (req, res, done) => {
    let at = 0;
    const next: NextFunction = (error?: unknown) => {
      if (isFailure(error)) return done(error);
      const handler = handlers[at];
      at += 1;
      if (handler === undefined) return done();
      // `res.sendFile` tells its errors to it.
      req.next = next;
      call(handler, { req, res, next });
    };
    next();
  };
}

function isFailure(error: unknown): boolean {
  return Boolean(error) && error !== "route" && error !== "router";
}

interface Exchange {
  req: Request;
  res: Response;
  next: NextFunction;
}

function call(handler: Handler, { req, res, next }: Exchange): void {
  try {
    const outcome = handler(req, res, next);
    if (outcome instanceof Promise) {
      outcome.catch((error: unknown) => next(error ?? new Error("a handler was rejected")));
    }
  } catch (error) {
    next(error ?? new Error("a handler threw nothing"));
  }
}
