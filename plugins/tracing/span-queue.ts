import type { ReadableSpan, SpanProcessor } from "@opentelemetry/sdk-trace-node";
import { within, type Logger } from "#kernel";

/** How spans leave. */
export interface SpanQueueOptions {
  /** Sends one batch; a batch that fails is lost. */
  send(spans: ReadableSpan[]): Promise<void>;
  log: Logger;
  /** Default 2048 spans, then new ones are dropped. */
  most?: number;
  /** Default 512 spans. */
  batch?: number;
  /** Milliseconds before a batch that is not full is sent. Default 1000. */
  delayMs?: number;
}

const CLOSE_MS = 3_000;

/** What has become of the spans. */
export interface SpanCounts {
  exported: number;
  dropped: number;
}

/** Ended spans on their way out: bounded, one batch at a time; a collector that is down costs spans, no memory. */
export class SpanQueue implements SpanProcessor {
  readonly counts: SpanCounts = { exported: 0, dropped: 0 };
  readonly #options: Required<SpanQueueOptions>;
  #spans: ReadableSpan[] = [];
  #timer: NodeJS.Timeout | null = null;
  #work: Promise<void> | null = null;
  #isFailing = false;

  constructor(options: SpanQueueOptions) {
    this.#options = { most: 2_048, batch: 512, delayMs: 1_000, ...options };
  }

  onStart(): void {
    // Only ended spans are of interest.
  }

  onEnd(span: ReadableSpan): void {
    // 1: sampled (W3C Trace Context 3.2.2.5).
    if ((span.spanContext().traceFlags & 1) === 0) return;
    const { most, batch, delayMs } = this.#options;
    if (this.#spans.length >= most) {
      this.counts.dropped += 1;
      return;
    }
    this.#spans.push(span);
    if (this.#work !== null) return;
    if (this.#spans.length >= batch) this.#start();
    else if (this.#timer === null) {
      this.#timer = setTimeout(() => this.#start(), delayMs);
      this.#timer.unref();
    }
  }

  /** Resolves when what has ended so far is sent or lost. */
  async forceFlush(): Promise<void> {
    await this.#work;
    this.#start();
    await this.#work;
  }

  /** Sends what is there, as long as the collector takes it within a few seconds. */
  async shutdown(): Promise<void> {
    await within(CLOSE_MS, this.forceFlush(), () => undefined);
    const left = this.#spans.length;
    if (left > 0) this.#options.log.warn("tracing.left", { spans: left });
  }

  #start(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#work ??= this.#drain().finally(() => {
      this.#work = null;
    });
  }

  async #drain(): Promise<void> {
    while (this.#spans.length > 0) {
      const spans = this.#spans.splice(0, this.#options.batch);
      try {
        await this.#options.send(spans);
        this.counts.exported += spans.length;
        this.#tell(null);
      } catch (error) {
        this.counts.dropped += spans.length;
        this.#tell(error);
      }
    }
  }

  /** Once when it begins to fail, once when it is over. */
  #tell(error: unknown): void {
    const { log } = this.#options;
    if (error !== null && !this.#isFailing) {
      log.warn("tracing.export-failed", { error: String(error) });
    }
    if (error === null && this.#isFailing) {
      log.info("tracing.export-works", { dropped: this.counts.dropped });
    }
    this.#isFailing = error !== null;
  }
}
