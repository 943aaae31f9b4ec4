import type { ReadableSpan, SpanProcessor } from "@opentelemetry/sdk-trace-node";
import { within, type Logger } from "#kernel";

/** How spans are sent. */
export interface SpanQueueOptions {
  /** Sends one batch; a batch that fails is lost. */
  send(spans: ReadableSpan[]): Promise<void>;
  log: Logger;
  /** Default 2048 spans; further spans are dropped. */
  most?: number;
  /** Default 512 spans. */
  batch?: number;
  /** Milliseconds before an incomplete batch is sent. Default 1000. */
  delayMs?: number;
}

const CLOSE_MS = 3_000;

/** Counts of spans by outcome. */
export interface SpanCounts {
  exported: number;
  dropped: number;
}

/** Queue of ended spans with a size limit, sent one batch at a time; spans are dropped while the collector is down. */
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
    // Only ended spans are sent.
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

  /** Resolves when all spans ended so far are sent or lost. */
  async forceFlush(): Promise<void> {
    await this.#work;
    this.#start();
    await this.#work;
  }

  /** Sends pending spans, as long as the collector accepts them within a few seconds. */
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

  /** Logs once when sending starts to fail, and once when it works again. */
  #tell(error: unknown): void {
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
