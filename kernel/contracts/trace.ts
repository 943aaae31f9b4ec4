/** What is noted of the work under way, for whoever keeps traces. */

/** What is known of a piece of work: short texts and numbers, no secret and no personal data. */
export type TraceFacts = Readonly<Record<string, string | number | boolean>>;
/** Keeps traces: the one that a plugin brings. */
export interface Tracer {
  /**
   * Runs `work` as a part of the work under way, ends it when what it returns has settled, and
   * returns just that; what it throws is noted and thrown on.
   */
  span<T>(name: string, work: () => T, facts?: TraceFacts): T;
  /** What a request to another host carries, by W3C Trace Context; empty outside of a trace. */
  headers(): Readonly<Record<string, string>>;
}
/** The traces of the site, whether somebody keeps them or not. */
export interface Trace extends Tracer {
  /** False: nobody does. Where speed counts, ask before making facts and closures for `span`. */
  readonly on: boolean;
  /** Keeps traces from now on. Throws ERR_TRACER_DUPLICATE. */
  use(tracer: Tracer): void;
}
