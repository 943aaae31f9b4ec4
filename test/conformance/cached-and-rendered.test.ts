import assert from "node:assert/strict";
import { gunzipSync, brotliDecompressSync } from "node:zlib";
import { blogFiles } from "../support/content/blog-files.js";
import { bootSite, type TestSite } from "../support/sites/boot-site.js";
import { exchange, type Exchange } from "../support/hostile/global-oracle.js";
import { picture } from "../support/content/pictures.js";

/** Requests for each public GET route. A new route without an entry fails the first test. */
const targets: Readonly<Record<string, readonly string[]>> = {
  "/themes/:theme/static/*path": ["/themes/default/static/none.css"],
  "/static/*path": ["/static/none.css"],
  "/favicon.ico": ["/favicon.ico"],
  "/favicon.svg": ["/favicon.svg"],
  "/apple-touch-icon.png": ["/apple-touch-icon.png"],
  "/icon-192.png": ["/icon-192.png"],
  "/icon-512.png": ["/icon-512.png"],
  "/_site/cards/*path": ["/_site/cards/none.png"],
  "/_site/feed.css": ["/_site/feed.css"],
  "/_site/markdown/*path": ["/_site/markdown/none.js"],
  "/api/changes": ["/api/changes?since=none"],
  "/_site/sidebar/:lang/:file": ["/_site/sidebar/en/none.html"],
  "/_site/preview/:token": ["/_site/preview/unknown"],
  "/_site/document.css": ["/_site/document.css"],
  "/_site/moment.css": ["/_site/moment.css", "/_site/moment.css?v=1"],
  "/_site/schema/config": ["/_site/schema/config"],
  "/_site/openapi.json": ["/_site/openapi.json"],
  "/_site/docs": ["/_site/docs"],
  "/_site/docs.css": ["/_site/docs.css", "/_site/docs.css?v=1"],
  "/api/forms/:name": ["/api/forms/none"],
  "/forms/:name": ["/forms/none"],
  "/forms/:name/thanks": ["/forms/none/thanks"],
  "/api/flex/:type": ["/api/flex/product", "/api/flex/product?limit=1", "/api/flex/none"],
  "/api/flex/:type/:id": ["/api/flex/product/a", "/api/flex/product/none"],
  "/content-media/*path": [
    "/content-media/04.undated/picture.png",
    "/content-media/04.undated/picture.png?width=20",
    "/content-media/04.undated/notes.txt",
    "/content-media/04.undated/none.png",
  ],
  "/api/pages": [
    "/api/pages",
    "/api/pages?order=title:desc&limit=2&offset=1",
    "/api/pages?taxonomy.tag=all",
    "/api/pages?limit=0",
  ],
  "/api/pages/": ["/api/pages/"],
  "/api/pages/*route/children": ["/api/pages/blog/children"],
  "/api/pages/*route/media": ["/api/pages/undated/media"],
  "/api/pages/*route/related": [
    "/api/pages/blog/post-1/related",
    "/api/pages/blog/post-1/related?limit=1",
  ],
  "/api/pages/*route": ["/api/pages/blog", "/api/pages/none", "/api/pages/members"],
  "/api/collections": [
    "/api/collections?source=@page.children:/blog",
    "/api/collections?source=x",
    "/api/collections?fields=title&order=date,title",
  ],
  "/api/taxonomy": ["/api/taxonomy"],
  "/api/taxonomy/:name": ["/api/taxonomy/tag", "/api/taxonomy/constructor"],
  "/api/taxonomy/:name/:value": ["/api/taxonomy/tag/all", "/api/taxonomy/tag/__proto__"],
  "/api/nav": ["/api/nav", "/api/nav?tree=true"],
  "/api/config/site": ["/api/config/site"],
  "/api/search": ["/api/search?q=post", "/api/search?q="],
  "/api/search/suggest": ["/api/search/suggest?q=po"],
  "/search/": ["/search/", "/search/?q=first"],
  "/search": ["/search", "/search?q=post"],
};

const pages = [
  "/",
  "/blog",
  "/blog/post-1",
  "/undated",
  "/members",
  "/flex/product",
  "/flex/product/a",
  "/blog/",
  "/flex/product/",
  "/none",
  "/none.css",
  "/%ZZ",
  "/blog?x=1",
  "/feed.xml",
  "/atom.xml",
  "/feed.json",
  "/sitemap.xml",
  "/robots.txt",
  "/health",
  "/health/ready",
];

/** Prefixes of plugins whose responses belong to one visitor. */
const PERSONAL = /^\/(?:admin|auth|account|payments|_site\/preview)\b/;

describe("a cached response and the same response rendered again", () => {
  let site: TestSite;
  const asked: string[] = [...pages, ...Object.values(targets).flat()];
  before(async () => {
    site = await bootSite({
      files: {
        ...blogFiles,
        "content/04.undated/picture.png": await picture(64, 64),
        "content/04.undated/notes.txt": "notes\n",
        "flex-objects/product.yaml": "title: Products\nfields: {name: {type: text}}\n",
        "flex-objects/product/a.yaml": "name: Lamp\n",
        "flex-objects/product/b.yaml": "name: Table\n",
      },
      env: { SITE_ENV: "production", SITE_AUTH_SECRET: "s".repeat(40) },
      settings: {
        site: { url: "https://journal.example" },
        system: { server: { rate_limit: false } },
      },
      clock: { now: () => Date.parse("2026-10-01T12:00:00Z") },
    });
    const { body } = await ask("/");
    asked.push(
      ...[...body.matchAll(/(?:href|src)="(\/[^"]*\?[^"]*|\/themes\/[^"]*)"/g)].map(
        ([, at = ""]) => at,
      ),
    );
  });
  after(() => site.close());

  const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    exchange(site.url, path, { method, headers: { "accept-encoding": "identity", ...headers } });
  const cache = () => site.site.use("cache");

  it("covers every public GET route", () => {
    const missing = site.site
      .context("pages")
      .http.routes.filter(({ method, path }) => method === "get" && !PERSONAL.test(path))
      .map(({ path }) => path)
      .filter((path) => targets[path] === undefined && !pages.includes(path));
    assert.deepEqual(missing, []);
    assert.ok(
      asked.length > pages.length + Object.values(targets).flat().length,
      "assets of the theme",
    );
  });

  it("have the same status, headers and body, GET and HEAD", async () => {
    for (const path of asked) {
      cache().clear();
      const fresh = seen(await ask(path));
      const again = seen(await ask(path));
      assert.deepEqual(again, fresh, path);
      const { body: _body, ...head } = fresh;
      const { body, ...cached } = seen(await ask(path, {}, "HEAD"));
      assert.deepEqual([cached, body], [head, ""], `HEAD ${path}`);
    }
  });

  it("have the same 304 with the same headers", async () => {
    for (const path of asked) {
      cache().clear();
      const { headers, status } = await ask(path);
      const { etag } = headers;
      if (status !== 200 || etag === undefined) continue;
      cache().clear();
      const fresh = seen(await ask(path, { "if-none-match": etag }));
      await ask(path);
      const cached = seen(await ask(path, { "if-none-match": etag }));
      assert.equal(cached.status, 304, path);
      assert.deepEqual(cached, fresh, path);
    }
  });

  it("have the same CORS headers for an allowed origin, another one and none", async () => {
    for (const path of asked.filter((at) => at.startsWith("/api/"))) {
      cache().clear();
      for (const origin of ["https://journal.example", "https://evil.example"]) {
        const cached = seen(await ask(path, { origin }));
        cache().clear();
        assert.deepEqual(cached, seen(await ask(path, { origin })), `${path} for ${origin}`);
      }
    }
  });

  it("have the same body in every encoding, and different validators", async () => {
    const decoders = { gzip: gunzipSync, br: brotliDecompressSync };
    for (const path of ["/", "/blog", "/api/pages", "/api/nav"]) {
      const plain = await fetch(site.url + path, { headers: { "Accept-Encoding": "identity" } });
      const body = await plain.text();
      for (const [encoding, decode] of Object.entries(decoders)) {
        const bytes = await encoded(path, encoding);
        assert.equal(decode(bytes.body).toString(), body, `${encoding} of ${path}`);
        assert.notEqual(bytes.etag, plain.headers.get("etag"));
      }
    }
  });

  it("have a request id when rendered for the request, and none when cached", async () => {
    cache().clear();
    assert.match(String((await ask("/")).headers["x-request-id"]), /^[0-9a-f]{16}$/);
    assert.equal((await ask("/")).headers["x-request-id"], undefined);
  });

  it("are cached: pages, lists, single pages and small assets", async () => {
    cache().clear();
    for (const path of [
      "/",
      "/blog/post-1",
      "/api/pages",
      "/api/pages/blog",
      "/api/taxonomy",
      "/api/nav",
      "/api/config/site",
    ]) {
      await ask(path);
      const { hits } = cache().stats();
      await ask(path);
      assert.equal(cache().stats().hits, hits + 1, path);
    }
  });

  it("are not cached when they are no page: 404, redirect, gated", async () => {
    for (const path of ["/none", "/blog/", "/members", "/api/pages/none", "/api/pages/members"]) {
      cache().clear();
      await ask(path);
      assert.equal(cache().stats().entries, 0, path);
    }
  });

  /** The compressed bytes, once they have been created in the background. */
  async function encoded(path: string, encoding: string): Promise<{ body: Buffer; etag: string }> {
    const { request } = await import("node:http");
    for (let round = 0; round < 200; round += 1) {
      const answer = await new Promise<{ body: Buffer; etag: string; encoding: unknown }>(
        (resolve, reject) => {
          request(site.url + path, { headers: { "accept-encoding": encoding } }, (response) => {
            const chunks: Buffer[] = [];
            response.on("data", (chunk: Buffer) => chunks.push(chunk));
            response.on("end", () =>
              resolve({
                body: Buffer.concat(chunks),
                etag: String(response.headers.etag),
                encoding: response.headers["content-encoding"],
              }),
            );
          })
            .on("error", reject)
            .end();
        },
      );
      if (answer.encoding === encoding) return answer;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    throw new Error(`${path} was never encoded as ${encoding}`);
  }
});

/** The parts of a response that must not depend on the cache: all but date, request id and the nonce's value. */
function seen({ status, headers, body }: Exchange) {
  const { date: _date, "x-request-id": _id, ...rest } = headers;
  const nonce = /'nonce-([^']+)'/.exec(String(rest["content-security-policy"]))?.[1];
  const plain = (text: string): string =>
    nonce === undefined ? text : text.replaceAll(nonce, "N");
  const named = Object.entries(rest).map(([name, value]) => [name, plain(String(value))]);
  return { status, headers: Object.fromEntries(named), body: plain(body) };
}
