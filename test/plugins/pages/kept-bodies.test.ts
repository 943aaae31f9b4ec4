import assert from "node:assert/strict";
import { KeptBodies } from "../../../plugins/pages/kept-bodies.js";

describe("KeptBodies", () => {
  it("makes the bytes of a source once, and others for another source", () => {
    const kept = new KeptBodies<{ id: number }>();
    const made: number[] = [];
    const toBody = (source: { id: number }) => {
      made.push(source.id);
      return { source };
    };
    const [one, two] = [{ id: 1 }, { id: 1 }];
    assert.equal(kept.get(one), undefined);
    const bytes = kept.of(one, toBody);
    assert.equal(bytes.toString(), '{"source":{"id":1}}');
    assert.equal(kept.of(one, toBody), bytes);
    assert.equal(kept.get(one), bytes);
    assert.notEqual(kept.of(two, toBody), bytes);
    assert.deepEqual(made, [1, 1]);
  });

  it("makes them anew for another companion", () => {
    const kept = new KeptBodies<{ id: number }>();
    const source = { id: 1 };
    const [html, otherHtml] = [{ html: "a" }, { html: "b" }];
    const bytes = kept.of(source, () => html, html);
    assert.equal(kept.get(source, html), bytes);
    assert.equal(kept.get(source, otherHtml), undefined);
    assert.equal(kept.of(source, () => otherHtml, otherHtml).toString(), '{"html":"b"}');
  });
});
