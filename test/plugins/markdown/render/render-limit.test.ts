import assert from "node:assert/strict";
import type { RenderJob, FindFacts } from "../../../../plugins/markdown/render/render-job.js";
import { LimitedRenderer } from "../../../../plugins/markdown/render/render-limit.js";
import { hostileMarkdown } from "../../../support/hostile/hostile-markdown.js";
import { hostileSyntax } from "../../../support/hostile/hostile-syntax.js";
import { dangersIn } from "../../../support/oracles/html-oracle.js";
import { allSyntax, plainOptions } from "../../../support/content/render-markdown.js";
import { neededSwitches } from "../../../../plugins/markdown/syntax/switches.js";

const noFacts: FindFacts = async () => new Map();
const job = (source: string): RenderJob => ({ kind: "markdown", source, options: plainOptions });
const large = "A paragraph with *some* [marks](x.md) in it.\n\n".repeat(200);

describe("rendering under a limit", () => {
  let renderer: LimitedRenderer;
  beforeEach(() => {
    renderer = new LimitedRenderer({ threads: 1 });
  });
  afterEach(() => renderer.close());

  it("renders small plain bodies and large ones alike", async () => {
    const small = await renderer.render(job("*a* [b](c.md)"), noFacts);
    const { rendered, failure } = await renderer.render(job(large), noFacts);
    assert.equal(small.rendered.html, '<p><em>a</em> <a href="c.md">b</a></p>');
    assert.equal(failure, null);
    assert.equal(rendered.html.match(/<a href="x\.md">/g)?.length, 200);
  });

  it("requests the facts of references from a thread too", async () => {
    const asked: (readonly string[])[] = [];
    const { rendered } = await renderer.render(job(large), async (references) => {
      asked.push(references);
      return new Map([["x.md", { url: "/x" }]]);
    });
    assert.deepEqual(asked, [["x.md"]]);
    assert.match(rendered.html, /href="\/x"/);
  });

  it("rethrows an error of the facts and renders the next body", async () => {
    const broken = renderer.render(job(large), async () => Promise.reject(new Error("no tree")));
    await assert.rejects(broken, /no tree/);
    assert.equal((await renderer.render(job(large), noFacts)).failure, null);
  });

  it("shows a body that takes too long as escaped source, and renders the next one", async () => {
    const source = `${">".repeat(200_000)}<b>`;
    const { rendered, failure } = await renderer.render(job(source), noFacts);
    assert.equal(failure?.code, "ERR_MARKDOWN_TIMEOUT");
    assert.ok(rendered.html.startsWith('<pre class="markdown-source">&#62;'));
    assert.deepEqual(dangersIn(rendered.html), []);
    assert.equal((await renderer.render(job(large), noFacts)).failure, null);
  });

  it("finishes every hostile document, without blocking the event loop", async function () {
    this.timeout(120_000);
    let turns = 0;
    const turning = setInterval(() => (turns += 1), 5);
    const strict = new LimitedRenderer({ threads: 2, limitMs: 400 });
    // Most of the long ones end at the limit, each with a thread: a few are enough.
    const long = Object.entries(hostileMarkdown(20_000)).filter((_, index) => index % 9 === 0);
    const documents = [...Object.entries(hostileMarkdown(3_000)), ...long];
    const outcomes = await Promise.all(
      documents.map(([, source]) => strict.render(job(source), noFacts)),
    );
    clearInterval(turning);
    await strict.close();
    for (const [index, { rendered, failure }] of outcomes.entries()) {
      const name = documents[index]?.[0];
      assert.ok(failure === null || failure.code.startsWith("ERR_MARKDOWN_"), name);
      assert.deepEqual(dangersIn(rendered.html.slice(0, 5000)), [], name);
    }
    assert.ok(turns > 100, `${turns} turns`);
  });

  it("finishes every hostile document with additional syntax", async function () {
    this.timeout(240_000);
    const strict = new LimitedRenderer({ threads: 2, limitMs: 1_000 });
    const generated =
      /^<(?:math|semantics|annotation|m[a-z]+|nav|label)>$|^input\[type=radio\]$|\[name=tabs-/;
    const documents = Object.entries(hostileSyntax(3_000));
    const outcomes = await Promise.all(
      documents.map(([, source]) => {
        const syntax = neededSwitches(source, allSyntax);
        const options = { ...plainOptions, syntax, lang: "en" };
        return strict.render({ kind: "markdown", source, options }, noFacts);
      }),
    );
    await strict.close();
    for (const [index, { rendered, failure }] of outcomes.entries()) {
      const name = documents[index]?.[0];
      assert.ok(failure === null || failure.code.startsWith("ERR_MARKDOWN_"), name);
      const dangers = dangersIn(rendered.html).filter((danger) => !generated.test(danger));
      assert.deepEqual(dangers, [], name);
    }
  });

  it("shows a body of more than 2 MB as source without trying", async () => {
    const { failure } = await renderer.render(job("a".repeat(2 * 1024 * 1024 + 1)), noFacts);
    assert.equal(failure?.code, "ERR_MARKDOWN_RENDER");
  });

  it("fails running, waiting and later jobs when it is closed", async () => {
    const running = renderer.render(job(">".repeat(200_000)), noFacts);
    const waiting = renderer.render(job(large), noFacts);
    await renderer.close();
    for (const { failure } of await Promise.all([running, waiting]))
      assert.equal(failure?.code, "ERR_MARKDOWN_RENDER");
    const late = await renderer.render(job(large), noFacts);
    assert.equal(late.failure?.code, "ERR_MARKDOWN_RENDER");
  });

  it("gives bodies of any size the same time limit", async () => {
    const strict = new LimitedRenderer({ threads: 1 });
    for (const size of [100_000, 1_000_000]) {
      const { failure } = await strict.render(job(">".repeat(size)), noFacts);
      assert.equal(failure?.message, "rendering took longer than 1500 ms");
    }
    await strict.close();
  });
});
