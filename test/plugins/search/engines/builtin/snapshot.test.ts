import assert from "node:assert/strict";
import {
  readSnapshot,
  writeSnapshot,
} from "../../../../../plugins/search/engines/builtin/snapshot.js";
import { Slots } from "../../../../../plugins/search/engines/builtin/segment.js";
import { samplePages } from "../../../../../plugins/search/testing/engine-suite.js";
import { bury, segmentOf } from "../../../../support/content/segments.js";

async function sample() {
  const slots = new Slots();
  const segments = [segmentOf(samplePages, slots), segmentOf([], slots)];
  for (const segment of segments) bury(segment, "/apple");
  return { segments, slots };
}

describe("a snapshot of an index", () => {
  it("is restored with its tombstones, also from the middle of other bytes", async () => {
    const { segments, slots } = await sample();
    const bytes = await writeSnapshot({ segments, slots });
    const within = new Uint8Array(bytes.length + 3);
    within.set(bytes, 3);
    const read = await readSnapshot(within.subarray(3));
    assert.deepEqual(read?.segments, segments);
    assert.deepEqual(read?.slots.fields, slots.fields);
    assert.equal(read?.segments[0]?.deadCount, 1);
  });

  it("is null when it is truncated anywhere", async () => {
    const bytes = await writeSnapshot(await sample());
    for (let length = 0; length < bytes.length; length += 97) {
      assert.equal(await readSnapshot(bytes.subarray(0, length)), null, String(length));
    }
    assert.equal(await readSnapshot(bytes.subarray(0, bytes.length - 1)), null);
  });

  for (const [what, head] of [
    ["of something else", { magic: "zip", version: 1, fields: [], segments: 0 }],
    ["of another version", { magic: "site search index", version: 0, fields: [], segments: 0 }],
    ["without fields", { magic: "site search index", version: 1, segments: 0 }],
    ["null", null],
  ] as const) {
    it(`is null when it is ${what}`, async () => {
      const text = Buffer.from(JSON.stringify(head));
      const bytes = Buffer.alloc(8 + text.length);
      bytes.writeDoubleLE(text.length);
      text.copy(bytes, 8);
      assert.equal(await readSnapshot(bytes), null);
    });
  }

  for (const length of [NaN, -1, Infinity, 2 ** 53]) {
    it(`is null with a block of ${length} bytes`, async () => {
      const bytes = Buffer.alloc(64);
      bytes.writeDoubleLE(length);
      assert.equal(await readSnapshot(bytes), null);
    });
  }
});
