import assert from "node:assert/strict";
import { Fragments, JsonBodies } from "../../../plugins/pages/routes/send.js";
import { testCaches } from "../../support/test-caches.js";

describe("JsonBodies", () => {
  const tags = new Set(["page:a"]);
  const key = "/a";

  it("encodes a source once, and another source under the same key again", () => {
    const bodies = new JsonBodies<{ id: number }>(testCaches(), "bodies");
    const encoded: number[] = [];
    const toBody = (source: { id: number }) => {
      encoded.push(source.id);
      return { source };
    };
    const [one, two] = [{ id: 1 }, { id: 1 }];
    assert.equal(bodies.find({ key, source: one }), undefined);
    const bytes = bodies.of({ key, source: one, tags }, toBody);
    assert.equal(bytes.toString(), '{"source":{"id":1}}');
    assert.equal(bodies.of({ key, source: one, tags }, toBody), bytes);
    assert.equal(bodies.find({ key, source: one }), bytes);
    assert.notEqual(bodies.of({ key, source: two, tags }, toBody), bytes);
    assert.deepEqual(encoded, [1, 1]);
  });

  it("encodes again for another companion, and after a change of its dependencies", () => {
    const caches = testCaches();
    const bodies = new JsonBodies<{ id: number }>(caches, "bodies");
    const source = { id: 1 };
    const [html, other] = [{ html: "a" }, { html: "b" }];
    const bytes = bodies.of({ key, source, companion: html, tags }, () => html);
    assert.equal(bodies.find({ key, source, companion: html }), bytes);
    assert.equal(bodies.find({ key, source, companion: other }), undefined);
    const again = bodies.of({ key, source, companion: other, tags }, () => other);
    assert.equal(again.toString(), '{"html":"b"}');
    caches.invalidate(tags);
    assert.equal(bodies.find({ key, source, companion: other }), undefined);
  });
});

describe("Fragments", () => {
  it("matches JSON.stringify, and encodes each item once", () => {
    const made: number[] = [];
    const fragments = new Fragments((source: { id: number }) => {
      made.push(source.id);
      return { id: source.id, text: '"</script>\u2028' };
    });
    const [one, two] = [{ id: 1 }, { id: 2 }];
    const expected = (list: readonly { id: number }[]) =>
      JSON.stringify(list.map(({ id }) => ({ id, text: '"</script>\u2028' })));
    for (const list of [[], [one], [one, two], [two, one, two]])
      assert.equal(fragments.list(list), expected(list));
    assert.deepEqual(made, [1, 2]);
  });
});
