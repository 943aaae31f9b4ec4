import assert from "node:assert/strict";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { HeldAnswer } from "../../../plugins/cache/held-answer.js";

const held = (body: string | Buffer, type = "text/html; charset=utf-8") =>
  new HeldAnswer(
    "/x",
    { type, body, headers: { "X-Own": "1" }, reads: new Set(["nav"]) },
    { etag: '"e"', expiresAt: Infinity },
  );

/** Its variant once the encodings are made. */
async function made(answer: HeldAnswer, accept: string) {
  for (let round = 0; round < 400; round += 1) {
    if (answer.variant("br").headers?.["Content-Encoding"] === "br") return answer.variant(accept);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return assert.fail("was never compressed");
}

describe("HeldAnswer", () => {
  it("has the plain variant at once, as bytes, for whoever asks", () => {
    const answer = held("größe");
    for (const accept of [undefined, "", "br, gzip", ["br"]]) {
      const { body, final, headers } = answer.variant(accept);
      assert.deepEqual([body, final, headers?.["X-Own"]], [Buffer.from("größe"), true, "1"]);
    }
    assert.deepEqual([answer.size, answer.reads.has("nav"), answer.etag], [7, true, '"e"']);
  });

  const long = "<p>text</p>".repeat(200);
  for (const [accept, encoding] of [
    ["gzip, deflate, br", "br"],
    ["gzip, deflate", "gzip"],
    ["gzip;q=1.0, deflate;q=0.6", "gzip"],
    ["br;q=0, gzip", undefined],
    ["br;q=0.000", undefined],
    ["identity", undefined],
    ["deflate", undefined],
    ["", undefined],
  ] as const) {
    it(`answers ${JSON.stringify(accept)} with ${encoding ?? "the plain one"}`, async () => {
      const { headers, body } = await made(held(long), accept);
      assert.equal(headers?.["Content-Encoding"], encoding);
      assert.ok(Buffer.isBuffer(body));
      const plain = { br: brotliDecompressSync, gzip: gunzipSync, none: (bytes: Buffer) => bytes }[
        encoding ?? "none"
      ](body);
      assert.equal(plain.toString(), long);
      assert.equal(headers?.["ETag"], encoding && `"e-${encoding}"`);
    });
  }

  it("leaves small bodies and pictures as they are", async () => {
    const [small, picture] = [held("short"), held(Buffer.alloc(2_000), "image/png")];
    await made(held(long), "br");
    for (const answer of [small, picture])
      assert.equal(answer.variant("br").headers?.["Content-Encoding"], undefined);
  });
});
