import assert from "node:assert/strict";
import type { RenderJob, FindFacts } from "../../../../plugins/markdown/render/render-job.js";
import { RenderPool } from "../../../../plugins/markdown/render/threads/render-pool.js";
import { deferred } from "../../../support/deferred.js";
import { plainOptions } from "../../../support/content/render-markdown.js";

const noFacts: FindFacts = async () => new Map();
const job = (source: string): RenderJob => ({ kind: "markdown", source, options: plainOptions });
const longMs = 15_000;

describe("RenderPool", () => {
  let pool: RenderPool;
  beforeEach(() => {
    pool = new RenderPool(1);
  });
  afterEach(() => pool.close());

  it("renders more jobs than it has threads, each with its own result", async () => {
    const made = await Promise.all(
      ["one", "two", "three"].map((source) => pool.run(job(source), noFacts, longMs)),
    );
    assert.deepEqual(
      made.map(({ html }) => html),
      ["<p>one</p>", "<p>two</p>", "<p>three</p>"],
    );
  });

  it("rejects with the error of the facts, and renders the next job", async () => {
    const failing: FindFacts = () => Promise.reject(new Error("no facts"));
    await assert.rejects(pool.run(job("[a](b.md)"), failing, longMs), /no facts/);
    assert.equal((await pool.run(job("next"), noFacts, longMs)).html, "<p>next</p>");
  });

  it("stops a job over its time limit, and renders the next in a new thread", async () => {
    await assert.rejects(pool.run(job("x *y* ".repeat(200_000)), noFacts, 1), {
      code: "ERR_MARKDOWN_TIMEOUT",
    });
    assert.equal((await pool.run(job("next"), noFacts, longMs)).html, "<p>next</p>");
  });

  it("fails running, waiting and later jobs when it is closed", async () => {
    const asked = deferred<void>();
    const never: FindFacts = () => {
      asked.resolve();
      return new Promise(() => undefined);
    };
    const running = pool.run(job("[a](b.md)"), never, longMs);
    const waiting = pool.run(job("waiting"), noFacts, longMs);
    const failures = Promise.allSettled([running, waiting]);
    await asked.promise;
    await pool.close();
    const states = (await failures).map(({ status }) => status);
    assert.deepEqual(states, ["rejected", "rejected"]);
    await assert.rejects(pool.run(job("late"), noFacts, longMs), { code: "ERR_MARKDOWN_RENDER" });
  });
});
