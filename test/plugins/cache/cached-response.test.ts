import assert from "node:assert/strict";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { CachedResponse, createCompressions } from "../../../plugins/cache/response-cache.js";
import { until } from "../../support/until.js";

const compressions = createCompressions();
const cached = (body: string | Buffer, type = "text/html; charset=utf-8") =>
  new CachedResponse(
    "/x",
    { type, body, headers: { "X-Own": "1" }, cache: { tags: new Set(["nav"]) } },
    { etag: '"e"', compressions },
  );

/** Its variant after compression has finished. */
async function compressed(answer: CachedResponse, accept: string) {
  await until(() => answer.variant("br", 0).headers?.["Content-Encoding"] === "br");
  return answer.variant(accept, 0);
}

describe("CachedResponse", () => {
  it("has the plain variant at once, as bytes, for every client", () => {
    const answer = cached("größe");
    for (const accept of [undefined, "", "br, gzip", ["br"]]) {
      const { body, skipsFilters, headers } = answer.variant(accept, 0);
      assert.deepEqual([body, skipsFilters, headers?.["X-Own"]], [Buffer.from("größe"), true, "1"]);
    }
    assert.deepEqual([answer.size, answer.tags.has("nav"), answer.etag], [7, true, '"e"']);
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
    it(`responds to ${JSON.stringify(accept)} with ${encoding ?? "the plain one"}`, async () => {
      const { headers, body } = await compressed(cached(long), accept);
      assert.equal(headers?.["Content-Encoding"], encoding);
      assert.ok(Buffer.isBuffer(body));
      const plain = { br: brotliDecompressSync, gzip: gunzipSync, none: (bytes: Buffer) => bytes }[
        encoding ?? "none"
      ](body);
      assert.equal(plain.toString(), long);
      assert.equal(headers?.["ETag"], encoding && `"e-${encoding}"`);
    });
  }

  it("occupies no more memory than its bytes", async () => {
    const small = cached("größe").variant("", 0).body;
    const { body: zipped } = await compressed(cached(long), "gzip");
    const { body: brotli } = await compressed(cached(long), "br");
    for (const body of [small, zipped, brotli]) {
      assert.ok(Buffer.isBuffer(body));
      assert.equal(body.buffer.byteLength, body.length);
    }
  });

  it("compresses what finds the queue full when it is requested again", async () => {
    const responses = Array.from({ length: 1_010 }, () => cached(long));
    const last = responses.at(-1);
    assert.ok(last);
    const isCompressed = ({ headers }: { headers?: object }): boolean =>
      Object.hasOwn(headers ?? {}, "Content-Encoding");
    for (const response of responses.slice(0, 1_000)) await compressed(response, "br");
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(isCompressed(last.variant("br", 0)), false);
    assert.equal(isCompressed(await compressed(last, "br")), true);
  });

  it("does not compress small bodies and pictures", async () => {
    const [small, picture] = [cached("short"), cached(Buffer.alloc(2_000), "image/png")];
    await compressed(cached(long), "br");
    for (const answer of [small, picture])
      assert.equal(answer.variant("br", 0).headers?.["Content-Encoding"], undefined);
  });
});
