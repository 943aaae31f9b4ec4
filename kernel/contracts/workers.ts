/** The worker processes of one server, which share a site root and a port. */

/** A worker, as the primary process sees it. */
export interface WorkerStatus {
  /** Counts from 1; a replacement gets the next number. */
  readonly id: number;
  readonly pid: number;
  /** When it was started, as ISO 8601. */
  readonly since: string;
  readonly state: "starting" | "ready" | "stopping";
  readonly isLeader: boolean;
  /** Memory of the process in bytes, from its last heartbeat. */
  readonly rss: number;
}

/**
 * This process among the workers of its server. A server without workers, and a command, is the leader
 * of itself.
 *
 * @example
 * const { workers } = site.runtime;
 * const lines: string[] = [];
 * workers.handle("log.add", (line) => void lines.push(String(line)));
 * await workers.ask("leader", "log.add", "written by one process only");
 */
export interface Workers {
  /** The number of this worker; 0 without workers. */
  readonly id: number;
  /** True while no other worker has been started: leftovers in the root belong to an earlier server. */
  readonly isFirst: boolean;
  /** True while this process does what one process of a site root does: watch files, run jobs. */
  readonly isLeader: boolean;
  /** All workers of the server, from the last heartbeat; empty without workers. */
  readonly all: readonly WorkerStatus[];
  /** Calls `work` when this process is the leader: now, or once it has become the leader. */
  whenLeader(work: () => void): void;
  /** The number of the worker that leads; null without workers, and while none leads. @throws ERR_WORKERS_SILENT (503). */
  leader(): Promise<number | null>;
  /**
   * Calls a handler of the primary process, or of the leader, which may be this process. Input and
   * output are JSON values.
   * @throws the error of the handler; ERR_WORKERS_SILENT (503) when there is no reply.
   */
  ask(to: "primary" | "leader", name: string, input?: unknown): Promise<unknown>;
  /** Calls a handler of every other worker; replies of those that fail or end are left out. */
  askOthers(name: string, input?: unknown): Promise<readonly WorkerReply[]>;
  /** Answers `ask` and `askOthers` of workers, one handler per name. */
  handle(name: string, work: (input: unknown) => unknown): void;
}

/** A reply of another worker. */
export interface WorkerReply {
  readonly worker: number;
  readonly value: unknown;
}
