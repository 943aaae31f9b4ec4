import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { HttpError } from "#kernel";
import { checkedBytes, tooLarge } from "../../../plugins/uploads/routes.js";

async function read(
  chunks: readonly Buffer[],
  { maxBytes = 100_000, fails = false } = {},
): Promise<{ seen: Buffer[]; bytes: Buffer; first: number }> {
  const seen: Buffer[] = [];
  const out: Buffer[] = [];
  const checks = {
    maxBytes,
    checkBeginning: async (beginning: Buffer) => {
      seen.push(beginning);
      if (fails) throw new HttpError(415, "no");
    },
  };
  for await (const chunk of checkedBytes(Readable.from(chunks), checks)) out.push(chunk);
  return { seen, bytes: Buffer.concat(out), first: out[0]?.length ?? 0 };
}

const many = (count: number, size: number): Buffer[] =>
  Array.from({ length: count }, (_, at) => Buffer.alloc(size, at + 1));

describe("bytes of an upload", () => {
  it("pass unchanged, after one check of their beginning", async () => {
    const chunks = many(10, 9_000);
    const { seen, bytes, first } = await read(chunks);
    assert.deepEqual(bytes, Buffer.concat(chunks));
    assert.equal(seen.length, 1);
    assert.equal(seen[0]?.length, first);
    assert.equal(first, 18_000);
  });

  it("of a short file are checked completely", async () => {
    const { seen, bytes } = await read([Buffer.from("ab"), Buffer.from("c")]);
    assert.deepEqual([String(seen[0]), String(bytes)], ["abc", "abc"]);
  });

  it("do not pass with a wrong beginning", async () => {
    await assert.rejects(read(many(10, 9_000), { fails: true }), { status: 415 });
    await assert.rejects(read([Buffer.from("x")], { fails: true }), { status: 415 });
  });

  it("fail at the first byte above the limit", async () => {
    assert.equal((await read(many(2, 50), { maxBytes: 100 })).bytes.length, 100);
    await assert.rejects(read([...many(2, 50), Buffer.from("x")], { maxBytes: 100 }), {
      status: 413,
      code: "ERR_UPLOAD_SIZE",
    });
  });

  it("name the limit in whole bytes", () => {
    assert.match(tooLarge(1_048.7).message, /1048 bytes/);
  });
});
