/** Tracing of the current work, for a plugin that records traces. */

/** Attributes of a span: short texts and numbers, no secrets and no personal data. */
export type TraceFacts = Readonly<Record<string, string | number | boolean>>;
/** Records traces; provided by a plugin. */
export interface Tracer {
  /**
   * Runs `work` as a child span of the current one and returns its result; the span ends when the result
   * settles. Errors are recorded and rethrown.
   */
  span<T>(name: string, work: () => T, facts?: TraceFacts): T;
  /** W3C Trace Context headers for a request to another host; empty outside of a trace. */
  headers(): Readonly<Record<string, string>>;
}
/** The traces of the site, with or without a tracer. */
export interface Trace extends Tracer {
  /** False: there is no tracer. On hot paths, check it before building attributes and closures for `span`. */
  readonly on: boolean;
  /**
   * `target` with each call of a method as a span `name.method`; without a tracer `target` itself.
   *
   * @example
   * const harbours = { find: (name: string) => `the harbour of ${name}` };
   * site.runtime.trace.traced("harbours", harbours).find("Kiel"); // a span harbours.find
   */
  traced<T extends object>(name: string, target: T): T;
  /** Sets the tracer. @throws ERR_TRACER_DUPLICATE. */
  use(tracer: Tracer): void;
}
