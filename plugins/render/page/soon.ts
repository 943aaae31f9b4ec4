/** A value, or the promise of one. */
export type Soon<T> = T | Promise<T>;

/**
 * Calls `next` with a value: synchronously if the value is not a promise. A page whose parts are
 * all in memory renders synchronously: each `await` would cost a promise and a frame, and keep
 * request data alive beyond young garbage collections.
 */
export function whenThere<T, R>(value: Soon<T>, next: (value: T) => Soon<R>): Soon<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
