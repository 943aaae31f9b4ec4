import assert from "node:assert/strict";
import { bootPanel } from "../../support/browsers/panel-browser.js";
import type { AdminSite } from "../../support/sites/admin-site.js";

describe("responses of the panel and its API", () => {
  let site: AdminSite;
  let cookie: string;
  before(async () => {
    site = await bootPanel();
    ({ cookie } = await site.as("admin"));
  });
  after(() => site.close());

  const get = (path: string, accepted: string): Promise<Response> =>
    fetch(site.url + path, { headers: { cookie, "accept-encoding": accepted } });
  async function styles(): Promise<string> {
    const html = await (await get("/admin", "identity")).text();
    return /\/admin\/assets\/panel\/main-[\w-]+\.css/.exec(html)?.[0] ?? "";
  }

  for (const encoding of ["br", "gzip"]) {
    it(`are compressed with ${encoding}: files and JSON`, async () => {
      for (const path of [await styles(), "/admin/api/introspect"]) {
        const plain = await get(path, "identity");
        const compressed = await get(path, `${encoding};q=0.9`);
        assert.equal(plain.headers.get("content-encoding"), null, path);
        assert.equal(compressed.headers.get("content-encoding"), encoding, path);
        assert.match(compressed.headers.get("vary") ?? "", /Accept-Encoding/, path);
        const [all = 0, sent = 0] = [plain, compressed].map((one) =>
          Number(one.headers.get("content-length")),
        );
        assert.ok(sent < all * 0.6, `${path}: ${sent} of ${all} bytes`);
        const etag = compressed.headers.get("etag");
        if (etag !== null) assert.notEqual(etag, plain.headers.get("etag"), path);
        assert.equal(await compressed.text(), await plain.text(), path);
      }
    });
  }

  it("are sent as they are to clients that reject an encoding, and as documents", async () => {
    for (const [path, accepted] of [
      [await styles(), "br;q=0"],
      ["/admin", "br"],
    ] as const) {
      const response = await get(path, accepted);
      assert.equal(response.headers.get("content-encoding"), null, path);
    }
  });
});
