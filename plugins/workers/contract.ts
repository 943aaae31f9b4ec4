/** Calls among the primary process and its workers, for parts of the primary process. */

/** The primary process, for parts that keep state for all workers. */
export interface PrimaryHub {
  /** Id of the worker that leads; null while none is ready. */
  readonly leader: number | null;
  /** Ids of the workers that run. */
  readonly workers: readonly number[];
  /** Answers `ask("primary", …)`; `worker` is the id of the asking worker. */
  handle(name: string, work: (input: unknown, worker: number) => unknown): void;
  /** Calls a handler of a worker. @throws as `ask` of `Workers`. */
  tell(worker: number, name: string, input: unknown): Promise<unknown>;
  /** Calls `work` when a worker has ended. */
  onLeft(work: (worker: number) => void): void;
}

/** A part of the primary process: registers its handlers. */
export type PrimaryPart = (hub: PrimaryHub) => void;
