/** A value, or the promise of one. */
export type Soon<T> = T | Promise<T>;

/**
 * `next` of a value: at once when the value is there. A page whose parts are all in memory is made in
 * one piece: each `await` on the way would cost a promise and a frame, and with them what a request
 * has touched outlives the collections of young garbage.
 */
export function whenThere<T, R>(value: Soon<T>, next: (value: T) => Soon<R>): Soon<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
