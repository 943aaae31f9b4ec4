/** A promise settled by the test. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(reason: unknown): void;
}

/** A promise with its resolvers. */
export function deferred<T>(): Deferred<T> {
  const ends: { resolve?: (value: T) => void; reject?: (reason: unknown) => void } = {};
  const promise = new Promise<T>((resolve, reject) => Object.assign(ends, { resolve, reject }));
  return {
    promise,
    resolve: (value) => ends.resolve?.(value),
    reject: (reason) => ends.reject?.(reason),
  };
}
