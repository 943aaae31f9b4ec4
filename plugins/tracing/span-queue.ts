import type {
  BatchSpanProcessor,
  ReadableSpan,
  SpanExporter,
  SpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { within, type Logger } from "#kernel";

/** How spans are sent. */
export interface SpanQueueOptions {
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
export interface SpanCounts {
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
