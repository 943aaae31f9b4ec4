import assert from "node:assert/strict";
import type { Tracer } from "#kernel";
import { SiteTrace } from "../../kernel/trace.js";

class Counting {
  #calls = 0;
  add(by: number): number {
    this.#calls += by;
    return this.#calls;
  }
  readonly label = "c";
}

function recorder(): Tracer & { names: string[] } {
  const names: string[] = [];
  return {
    names,
    span(name, work) {
      names.push(name);
      return work();
    },
    headers: () => ({ traceparent: "x" }),
  };
}

describe("the traces of a site", () => {
  it("run work directly without a tracer, on the object itself", () => {
    const trace = new SiteTrace();
    const store = new Counting();
    assert.equal(trace.on, false);
    assert.equal(
      trace.span("work", () => 7),
      7,
    );
    assert.equal(trace.headers(), trace.headers(), "no object is made");
    assert.equal(trace.traced("store", store), store);
  });

  it("pass each call to the tracer, with the object's own private fields", () => {
    const trace = new SiteTrace();
    const tracer = recorder();
    trace.use(tracer);
    const store = trace.traced("store", new Counting());
    assert.deepEqual([store.add(2), store.add(3), store.label], [2, 5, "c"]);
    assert.equal(
      trace.span("work", () => 7, { size: 1 }),
      7,
    );
    assert.deepEqual(tracer.names, ["store.add", "store.add", "work"]);
    assert.deepEqual(trace.headers(), { traceparent: "x" });
  });

  it("accept one tracer", () => {
    const trace = new SiteTrace();
    trace.use(recorder());
    assert.throws(() => trace.use(recorder()), { code: "ERR_TRACER_DUPLICATE" });
  });
});
