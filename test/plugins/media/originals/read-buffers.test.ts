import assert from "node:assert/strict";
import { ReadBuffers } from "../../../../plugins/media/originals/originals.js";

const MEGABYTE = 1024 * 1024;

describe("ReadBuffers", () => {
  it("lends the same memory again after it was released, never before", () => {
    const buffers = new ReadBuffers();
    const first = buffers.lend(1_000);
    const second = buffers.lend(1_000);
    assert.notEqual(first.bytes.buffer, second.bytes.buffer);
    assert.deepEqual([first.bytes.length, buffers.lent], [1_000, 2]);
    first.end();
    const third = buffers.lend(MEGABYTE);
    assert.equal(third.bytes.buffer, first.bytes.buffer);
    assert.deepEqual([third.bytes.length, buffers.lent], [MEGABYTE, 2]);
  });

  it("accepts each release once", () => {
    const buffers = new ReadBuffers();
    const loan = buffers.lend(10);
    loan.end();
    loan.end();
    assert.equal(buffers.lent, 0);
    const [a, b] = [buffers.lend(10), buffers.lend(10)];
    assert.notEqual(a.bytes.buffer, b.bytes.buffer);
  });

  it("keeps the two larger buffers for reuse, and none of more than 8 MB", () => {
    const buffers = new ReadBuffers();
    const sizes = [1, 2, 3, 9].map((megabytes) => megabytes * MEGABYTE);
    const loans = sizes.map((size) => buffers.lend(size));
    loans.forEach((loan) => loan.end());
    const known = new Set(loans.map(({ bytes }) => bytes.buffer));
    const again = sizes.map((size) => buffers.lend(size).bytes);
    const lengths = again
      .filter(({ buffer }) => known.has(buffer))
      .map(({ buffer }) => buffer.byteLength);
    assert.deepEqual(lengths, [2 * MEGABYTE, 3 * MEGABYTE]);
  });

  it("allocates nothing for an empty file", () => {
    assert.equal(new ReadBuffers().lend(0).bytes.length, 0);
  });
});
