import assert from "node:assert/strict";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

describe("CORS", () => {
  let site: TestSite;
  before(async () => {
    site = await bootSite({
      plugins: ["pages", "security", "health"],
      settings: { site: { url: "https://site.example", cors_origins: ["https://app.example"] } },
    });
  });
  after(() => site.close());
  const ask = (path: string, origin: string, method = "GET") =>
    site.fetch(path, { method, headers: { Origin: origin } });

  for (const origin of ["https://site.example", "https://app.example"]) {
    it(`returns ${origin} itself, without credentials`, async () => {
      const { headers } = await ask("/api/nav", origin);
      assert.equal(headers.get("access-control-allow-origin"), origin);
      assert.equal(headers.get("access-control-allow-credentials"), null);
    });
  }

  it("returns the origin of the site, not a wildcard, without an origin", async () => {
    for (const [path, method] of [
      ["/api/nav", "GET"],
      ["/api/nothing", "GET"],
      ["/api/pages", "OPTIONS"],
    ] as const) {
      const { headers } = await site.fetch(path, { method });
      assert.equal(headers.get("access-control-allow-origin"), "https://site.example", path);
    }
  });

  const FOREIGN = [
    "https://evil.example",
    "null",
    "https://site.example.evil.com",
    "https://evilsite.example",
    "http://site.example",
    "https://site.example:8443",
    "https://SITE.example",
  ];
  for (const origin of FOREIGN) {
    it(`sends ${origin} no Access-Control-Allow-Origin`, async () => {
      const { headers } = await ask("/api/nav", origin);
      assert.equal(headers.get("access-control-allow-origin"), null);
    });
  }

  it("sends Vary: Origin with every API response, also 304 and 404", async () => {
    const first = await site.fetch("/api/nav");
    const etag = first.headers.get("etag") ?? "";
    const answers = [
      first,
      await site.fetch("/api/nothing"),
      await ask("/api/nav", "https://evil.example"),
    ];
    if (etag !== "")
      answers.push(await site.fetch("/api/nav", { headers: { "If-None-Match": etag } }));
    for (const { headers } of answers) assert.match(headers.get("vary") ?? "", /\bOrigin\b/);
  });

  it("responds 204 to a preflight, with safe methods only", async () => {
    const allowed = await ask("/api/pages", "https://app.example", "OPTIONS");
    assert.equal(allowed.status, 204);
    assert.equal(allowed.headers.get("access-control-allow-origin"), "https://app.example");
    assert.equal(allowed.headers.get("access-control-allow-methods"), "GET, HEAD, OPTIONS");
    // A front end of another origin sends the token of its identity provider.
    assert.match(allowed.headers.get("access-control-allow-headers") ?? "", /\bAuthorization\b/);
    const refused = await ask("/api/pages", "https://evil.example", "OPTIONS");
    assert.deepEqual(
      [refused.status, refused.headers.get("access-control-allow-origin")],
      [204, null],
    );
  });

  it("names the headers that scripts may read, and how long a preflight holds, to allowed origins", async () => {
    const allowed = await ask("/api/pages", "https://app.example");
    assert.equal(
      allowed.headers.get("access-control-expose-headers"),
      "ETag, Link, Retry-After, X-Next-Cursor, X-Total-Count",
    );
    const refused = await ask("/api/pages", "https://evil.example");
    assert.equal(refused.headers.get("access-control-expose-headers"), null);
    const preflight = await ask("/api/pages", "https://app.example", "OPTIONS");
    assert.equal(preflight.headers.get("access-control-max-age"), "600");
    assert.equal(preflight.headers.get("content-length"), null, "RFC 9110, 8.6");
  });

  it("sends no CORS headers outside the read API", async () => {
    for (const path of ["/health", "/", "/auth/me", "/api/webhook/incoming"]) {
      const { headers } = await ask(path, "https://app.example");
      assert.equal(headers.get("access-control-allow-origin"), null, path);
    }
  });
});
