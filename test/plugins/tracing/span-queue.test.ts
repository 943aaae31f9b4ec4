import assert from "node:assert/strict";
import { BatchSpanProcessor as Processor, type ReadableSpan } from "@opentelemetry/sdk-trace-node";
import { type Logger, silentLog } from "#kernel";
import { SpanQueue } from "../../../plugins/tracing/engines/otel.js";
import { deferred } from "../../support/deferred.js";

/** The parts of a span that the queue reads. */
function span(sampled = true): ReadableSpan {
  const spanContext = () => ({ traceId: "", spanId: "", traceFlags: sampled ? 1 : 0 });
  const only = { spanContext, resource: {} };
  return only as unknown as ReadableSpan;
}

describe("the queue of spans", () => {
  it("sends sampled spans in batches", async () => {
    const sizes: number[] = [];
    const queue = new SpanQueue({
      Processor,
      send: async (spans) => void sizes.push(spans.length),
      log: silentLog,
      batch: 2,
    });
    for (const sampled of [true, false, true, true]) queue.onEnd(span(sampled));
    await queue.forceFlush();
    assert.deepEqual([sizes, queue.counts], [[2, 1], { exported: 3, dropped: 0 }]);
  });

  it("drops spans beyond its limit while the collector is slow, and counts them", async () => {
    const hang = deferred<void>();
    const queue = new SpanQueue({
      Processor,
      send: () => hang.promise,
      log: silentLog,
      most: 3,
      batch: 1,
    });
    for (let at = 0; at < 10; at += 1) queue.onEnd(span());
    assert.equal(queue.counts.dropped, 6, "one is on its way, three wait");
    hang.resolve();
    await queue.forceFlush();
    assert.deepEqual(queue.counts, { exported: 4, dropped: 6 });
  });

  it("logs an outage once, and once when it is over", async () => {
    const events: string[] = [];
    const note = (event: string): void => void events.push(event);
    const log: Logger = { ...silentLog, warn: note, info: note };
    let isDown = true;
    const send = async (): Promise<void> => {
      if (isDown) throw new Error("down");
    };
    const queue = new SpanQueue({ Processor, send, log });
    for (const down of [true, true, false, false]) {
      isDown = down;
      queue.onEnd(span());
      await queue.forceFlush();
    }
    assert.deepEqual(events, ["tracing.export_failed", "tracing.export_works"]);
    assert.deepEqual(queue.counts, { exported: 2, dropped: 2 });
  });

  it("waits at shutdown for the batch that is on its way, and logs what is left", async () => {
    const left: object[] = [];
    const log: Logger = { ...silentLog, warn: (_event, fields = {}) => void left.push(fields) };
    const hang = deferred<void>();
    const queue = new SpanQueue({ Processor, send: () => hang.promise, log, batch: 1 });
    queue.onEnd(span());
    queue.onEnd(span());
    const closed = queue.shutdown();
    queue.onEnd(span());
    hang.resolve();
    await closed;
    assert.deepEqual([queue.counts, left], [{ exported: 2, dropped: 1 }, []]);

    const send = (): Promise<void> => new Promise(() => {});
    const stuck = new SpanQueue({ Processor, send, log, batch: 1, closeMs: 20 });
    stuck.onEnd(span());
    stuck.onEnd(span());
    await stuck.shutdown();
    assert.deepEqual(left, [{ spans: 2 }]);
  });
});
