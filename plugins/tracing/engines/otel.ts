import { AsyncLocalStorage } from "node:async_hooks";
import {
  createTraceState,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
  type Tracer as OtelTracer,
} from "@opentelemetry/api";
import type {
  BatchSpanProcessor,
  ReadableSpan,
  SpanExporter,
  SpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { type Logger, SiteError, type TraceFacts, type Tracer, within } from "#kernel";
import { formatTraceparent, type Parent } from "../traceparent.js";

/** Options of the tracer. */
export interface OtelOptions extends Omit<SpanQueueOptions, "send" | "Processor"> {
  serviceName: string;
  version: string;
  /** Share of traces started here that are recorded, 0 to 1. */
  sampleRate: number;
  /** True: callers may decide that a trace is recorded. */
  trustsParents: boolean;
  /** Sends an OTLP body in JSON. */
  post(body: Buffer): Promise<void>;
}

/** The result of a request. */
export interface RequestOutcome {
  /** Name of the span: method and route. */
  readonly name: string;
  readonly facts: TraceFacts;
  /** True for a response that was aborted or reports an error of the server. */
  readonly failed: boolean;
}

/** The trace of one request. */
export interface RequestSpan {
  readonly traceId: string;
  /** Ends it and adds `facts` as attributes. */
  end(outcome: RequestOutcome): void;
}

/** Records traces with OpenTelemetry, without any global registration. */
export class OtelTraces implements Tracer {
  readonly #tracer: OtelTracer;
  readonly #queue: SpanQueue;
  readonly #active: AsyncLocalStorage<Context | null>;

  /** `active`: the context of the running work; null while spans are sent. */
  constructor(tracer: OtelTracer, queue: SpanQueue, active: AsyncLocalStorage<Context | null>) {
    this.#tracer = tracer;
    this.#queue = queue;
    this.#active = active;
  }

  get counts(): SpanCounts {
    return this.#queue.counts;
  }

  /** Starts the span of a request; everything later in this turn and its promises belongs to it. */
  request(parent: Parent | null, traceState: string | undefined): RequestSpan {
    const before = parent === null ? ROOT_CONTEXT : createContext(parent, traceState);
    const span = this.#tracer.startSpan("request", { kind: SpanKind.SERVER }, before);
    this.#active.enterWith(trace.setSpan(before, span));
    return {
      traceId: span.spanContext().traceId,
      end({ name, facts, failed }) {
        span.updateName(name);
        span.setAttributes(facts);
        if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  }

  span<T>(name: string, work: () => T, facts: TraceFacts = {}): T {
    const before = this.#active.getStore();
    // Sending spans must not create spans.
    if (before === null) return work();
    const kind = name === "outbound" ? SpanKind.CLIENT : SpanKind.INTERNAL;
    const span = this.#tracer.startSpan(name, { kind, attributes: facts }, before ?? ROOT_CONTEXT);
    const context = trace.setSpan(before ?? ROOT_CONTEXT, span);
    return this.#active.run(context, () => endWith(span, work));
  }

  headers(): Readonly<Record<string, string>> {
    const span = trace.getSpan(this.#active.getStore() ?? ROOT_CONTEXT);
    if (span === undefined) return {};
    const { traceId, spanId, traceFlags, traceState } = span.spanContext();
    const state = traceState?.serialize() ?? "";
    return {
      traceparent: formatTraceparent({ traceId, spanId, sampled: (traceFlags & 1) === 1 }),
      ...(state !== "" && { tracestate: state }),
    };
  }

  /** Sends pending spans; resolves when they are sent or lost. */
  async close(): Promise<void> {
    await this.#queue.shutdown();
    // An active storage slows down every later promise of the process.
    this.#active.disable();
  }
}

/** Loads the packages and creates a tracer. */
export async function createOtelTraces(options: OtelOptions): Promise<OtelTraces> {
  const { sdk, resources, transformer } = await loadPackages();
  const active = new AsyncLocalStorage<Context | null>();
  const send = (spans: Parameters<SpanQueueOptions["send"]>[0]): Promise<void> => {
    const body = transformer.JsonTraceSerializer.serializeRequest(spans);
    return active.run(null, () => options.post(Buffer.from(body ?? "{}")));
  };
  const queue = new SpanQueue({ ...options, Processor: sdk.BatchSpanProcessor, send });
  const ratio = new sdk.TraceIdRatioBasedSampler(options.sampleRate);
  const sampler = new sdk.ParentBasedSampler({
    root: ratio,
    // A caller's flag must not make the site send more than configured.
    remoteParentSampled:
      options.trustsParents && options.sampleRate > 0 ? new sdk.AlwaysOnSampler() : ratio,
  });
  const resource = resources.resourceFromAttributes({
    "service.name": options.serviceName,
    "service.version": options.version,
  });
  const provider = new sdk.NodeTracerProvider({ resource, sampler, spanProcessors: [queue] });
  return new OtelTraces(provider.getTracer("site", options.version), queue, active);
}

async function loadPackages() {
  const [sdk, resources, transformer] = await Promise.all([
    import("@opentelemetry/sdk-trace-node"),
    import("@opentelemetry/resources"),
    import("@opentelemetry/otlp-transformer"),
  ]);
  return { sdk, resources, transformer };
}

function createContext({ traceId, spanId, sampled }: Parent, state: string | undefined): Context {
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: sampled ? 1 : 0,
    isRemote: true,
    ...(state !== undefined && state.length <= 512 && { traceState: createTraceState(state) }),
  });
}

/** Runs `work` and ends the span when its result settles. */
function endWith<T>(span: Span, work: () => T): T {
  try {
    const result = work();
    if (!(result instanceof Promise)) {
      span.end();
      return result;
    }
    result.then(
      () => span.end(),
      (error: unknown) => fail(span, error),
    );
    return result;
  } catch (error) {
    fail(span, error);
    throw error;
  }
}

/** Only the kind of failure: messages may contain input of visitors. */
function fail(span: Span, error: unknown): void {
  const code = error instanceof SiteError ? error.code : "";
  span.setAttribute("error.type", code || (error instanceof Error ? error.name : "unknown"));
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** Options of sending spans. */
interface SpanQueueOptions {
  /** OpenTelemetry's batch processor; passed in because its package is optional. */
  Processor: typeof BatchSpanProcessor;
  /** Sends one batch; a batch that fails is lost. */
  send(spans: ReadableSpan[]): Promise<void>;
  log: Logger;
  /** Default 2048 spans; further spans are dropped. */
  most?: number;
  /** Default 512 spans. */
  batch?: number;
  /** Milliseconds before an incomplete batch is sent. Default 1000. */
  delayMs?: number;
  /** Milliseconds that `shutdown` waits for the collector. Default 3000. */
  closeMs?: number;
}

/** Counts of spans by outcome. */
interface SpanCounts {
  exported: number;
  dropped: number;
}

/** OpenTelemetry's batch processor, with counts of spans, logs of outages and a limited shutdown. */
export class SpanQueue implements SpanProcessor {
  readonly counts: SpanCounts = { exported: 0, dropped: 0 };
  readonly #options: SpanQueueOptions;
  readonly #processor: SpanProcessor;
  readonly #most: number;
  readonly #sending = new Set<Promise<void>>();
  /** Spans in the processor. */
  #waiting = 0;
  /** These, and those in a batch on its way. */
  #unsent = 0;
  #isFailing = false;
  #isClosed = false;

  constructor(options: SpanQueueOptions) {
    const { most = 2_048, batch = 512, delayMs = 1_000 } = options;
    this.#options = options;
    this.#most = most;
    this.#processor = new options.Processor(this.#exporter(), {
      maxQueueSize: most,
      maxExportBatchSize: batch,
      scheduledDelayMillis: delayMs,
    });
  }

  onStart(): void {
    // Only ended spans are sent.
  }

  onEnd(span: ReadableSpan): void {
    // 1: sampled (W3C Trace Context 3.2.2.5).
    if ((span.spanContext().traceFlags & 1) === 0) return;
    // The processor drops them too, but does not count them.
    if (this.#isClosed || this.#waiting >= this.#most) {
      this.counts.dropped += 1;
      return;
    }
    this.#waiting += 1;
    this.#unsent += 1;
    this.#processor.onEnd(span);
  }

  /** Resolves when all spans ended so far are sent or lost. */
  async forceFlush(): Promise<void> {
    await this.#finish(this.#processor.forceFlush());
  }

  /** Sends pending spans, as long as the collector accepts them within a few seconds. */
  async shutdown(): Promise<void> {
    this.#isClosed = true;
    await within(
      this.#options.closeMs ?? 3_000,
      this.#finish(this.#processor.shutdown()),
      () => undefined,
    );
    if (this.#unsent > 0) this.#options.log.warn("tracing.left", { spans: this.#unsent });
  }

  /** The processor does not wait for a batch that its timer sent. */
  async #finish(flush: Promise<void>): Promise<void> {
    // Failures were logged when the batch failed.
    await flush.catch(() => undefined);
    await Promise.all(this.#sending);
  }

  #exporter(): SpanExporter {
    return {
      export: (spans, done) => {
        this.#waiting -= spans.length;
        const sending = this.#send(spans).then((error) => {
          this.#sending.delete(sending);
          // ExportResultCode: 0 success, 1 failure.
          done(error === null ? { code: 0 } : { code: 1, error });
        });
        this.#sending.add(sending);
      },
      shutdown: () => Promise.resolve(),
    };
  }

  async #send(spans: ReadableSpan[]): Promise<Error | null> {
    let failure: Error | null = null;
    try {
      await this.#options.send(spans);
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
    }
    this.#unsent -= spans.length;
    this.counts[failure === null ? "exported" : "dropped"] += spans.length;
    this.#logChange(failure);
    return failure;
  }

  /** Logs once when sending starts to fail, and once when it works again. */
  #logChange(error: Error | null): void {
    const { log } = this.#options;
    if (error !== null && !this.#isFailing) {
      log.warn("tracing.export_failed", { error: String(error) });
    }
    if (error === null && this.#isFailing) {
      log.info("tracing.export_works", { dropped: this.counts.dropped });
    }
    this.#isFailing = error !== null;
  }
}
