import assert from "node:assert/strict";
import { definePlugin } from "#kernel";
import { sendBuffer } from "../../../../plugins/media/routes/send-body.js";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";

describe("sendBuffer", () => {
  let site: TestSite;
  const answer = {
    headers: { "Cache-Control": "public, max-age=7", "X-Own": "yes" },
    type: "image/png",
    etag: '"abc"',
    mtimeMs: Date.parse("2026-01-01T00:00:00Z"),
    body: Buffer.from("0123456789"),
  };
  before(async () => {
    const plugin = definePlugin({
      name: "sender",
      version: "1.0.0",
      setup: ({ http }) => http.use("routes", (req, res) => sendBuffer(http, { req, res }, answer)),
    });
    site = await bootSite({ plugins: [], extraPlugins: [plugin] });
  });
  after(() => site.close());

  it("sends the whole body with its validators", async () => {
    const response = await site.fetch("/");
    assert.equal(await response.text(), "0123456789");
    const names = [
      "content-type",
      "content-length",
      "etag",
      "last-modified",
      "accept-ranges",
      "x-own",
    ];
    assert.deepEqual(
      names.map((name) => response.headers.get(name)),
      ["image/png", "10", '"abc"', "Thu, 01 Jan 2026 00:00:00 GMT", "bytes", "yes"],
    );
  });

  it("sends a range, or 416 for an invalid one", async () => {
    const part = await site.fetch("/", { headers: { range: "bytes=2-4" } });
    assert.deepEqual([part.status, await part.text()], [206, "234"]);
    const none = await site.fetch("/", { headers: { range: "bytes=10-" } });
    assert.deepEqual(
      [none.status, none.headers.get("content-range"), await none.text()],
      [416, "bytes */10", ""],
    );
  });

  it("sends 304 with the headers of 200 and without a body", async () => {
    const response = await site.fetch("/", { headers: { "if-none-match": '"abc"' } });
    assert.deepEqual([response.status, await response.text()], [304, ""]);
    assert.equal(response.headers.get("cache-control"), "public, max-age=7");
    assert.equal(response.headers.get("content-type"), null);
  });

  it("ignores a range in HEAD", async () => {
    const response = await site.fetch("/", { method: "HEAD", headers: { range: "bytes=2-4" } });
    assert.deepEqual([response.status, response.headers.get("content-length")], [200, "10"]);
  });
});
