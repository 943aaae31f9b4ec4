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
});
