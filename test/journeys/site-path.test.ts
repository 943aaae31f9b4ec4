import assert from "node:assert/strict";
import sharp from "sharp";
import { bootSite, type TestSite } from "../support/sites/boot-site.js";

const ADDRESS = /\s(?:href|src|action|formaction|poster)="([^"]*)"/g;
const SRCSET = /\s(?:srcset|imagesrcset)="([^"]*)"/g;

/** Addresses of this host in a document or style sheet. */
function addressesIn(text: string): string[] {
  const found = [...text.matchAll(ADDRESS)].map(([, address = ""]) => address);
  for (const [, value = ""] of text.matchAll(SRCSET)) {
    found.push(...value.split(/,\s+/).map((one) => one.trim().split(/\s+/)[0] ?? ""));
  }
  for (const [, address = ""] of text.matchAll(/url\(["']?([^"')]+)/g)) found.push(address);
  return found
    .map((address) => address.replaceAll("&amp;", "&").replace(/^https:\/\/a\.example/, ""))
    .filter((address) => /^\/(?!\/)/.test(address));
}

describe("a site whose url has a path", () => {
  let site: TestSite;
  before(async () => {
    const picture = await sharp({
      create: { width: 800, height: 400, channels: 3, background: "#33a" },
    })
      .jpeg()
      .toBuffer();
    site = await bootSite({
      files: {
        "content/01.home/default.md": "# Home\n\n[Blog](/blog) ![Picture](a.jpg)\n",
        "content/01.home/a.jpg": picture,
        "content/02.blog/default.md":
          "---\ncollection: { items: '@self.children', pagination: { size: 2 } }\n---\n# Blog",
        "content/02.blog/a.md":
          "---\ndate: 2026-01-01\ntaxonomy: { tag: [x] }\n---\n# A\n\n[B](b.md) [C](/blog/c#top)",
        "content/02.blog/b.md": "---\ndate: 2026-01-02\n---\n# B\n\n{{ form contact }}",
        "content/02.blog/c.md": "---\ndate: 2026-01-03\n---\n# C",
        "content/03.old.md": "---\nredirect: /blog\n---\n",
        "content/04.members/default.md": "---\nroles: [member]\n---\n# M",
        "content/05.docs/default.md": "# A page with the name of the path",
        "forms/contact.yaml":
          "fields:\n  message: { type: text, label: Message, required: true }\n",
      },
      settings: {
        site: {
          url: "https://a.example/docs",
          auth: { mode: "dune", providers: { magicLink: { enabled: true } } },
          redirects: { "/gone": "/blog" },
        },
        system: { server: { rate_limit: false, trust_proxy: 1 } },
      },
      env: { SITE_ENV: "production", SITE_SECRET: "0123456789abcdef0123456789abcdef" },
    });
  });
  after(() => site.close());
  const text = async (path: string): Promise<string> => (await site.fetch(path)).text();

  it("names the style sheet of feeds below the path", async () => {
    for (const path of ["/docs/feed.xml", "/docs/atom.xml"]) {
      const [, href = ""] = /xml-stylesheet[^>]* href="([^"]+)"/.exec(await text(path)) ?? [];
      assert.match(href, /^\/docs\//);
      assert.equal((await site.fetch(href)).status, 200);
    }
  });

  it("has only links below the path, and all of them are served", async () => {
    const seen = new Set<string>();
    const left = ["/docs/", "/docs/search?q=blog", "/docs/auth/login", "/docs/_site/docs"];
    while (left.length > 0) {
      const address = left.pop()?.split("#")[0] ?? "";
      if (seen.has(address) || /\/(?:api|auth)\/.*(?:logout|magic)/.test(address)) continue;
      seen.add(address);
      const answer = await site.fetch(address);
      assert.ok(answer.status < 400 || answer.status === 405, `${address}: ${answer.status}`);
      const location = answer.headers.get("location");
      if (location !== null) {
        assert.match(location, /^\/docs(?:\/|$)/, address);
        left.push(location);
      }
      if (!/html|css/.test(answer.headers.get("content-type") ?? "")) continue;
      for (const target of addressesIn(await answer.text())) {
        assert.match(target, /^\/docs(?:[/?#]|$)/, `on ${address}`);
        left.push(target);
      }
    }
    for (const path of ["/docs/blog/page:2", "/docs/blog/a", "/docs/feed.xml"]) {
      assert.ok(seen.has(path), `${path} is not linked`);
    }
    assert.ok([...seen].some((one) => one.includes("a.jpg?width=")));
  });

  for (const path of ["/sitemap.xml", "/feed.xml", "/atom.xml", "/feed.json", "/llms.txt"]) {
    it(`names only addresses below the path in ${path}`, async () => {
      const body = await text(`/docs${path}`);
      assert.match(body, /https:\/\/a\.example\/docs\/blog\/a/);
      assert.doesNotMatch(body, /https:\/\/a\.example\/(?!docs(?:\/|"|<))/);
      assert.doesNotMatch(body, /docs\/docs\/blog/);
    });
  }

  for (const [path, location] of [
    ["/old", "/docs/blog"],
    ["/gone", "/docs/blog"],
    ["/blog/", "/docs/blog"],
    ["/members", "/docs/auth/login?next=%2Fmembers"],
    ["/api/pages/old", "/docs/api/pages/blog"],
  ] as const) {
    it(`redirects ${path} below the path`, async () => {
      const { headers } = await site.fetch(`/docs${path}`);
      assert.equal(headers.get("location"), location);
    });
  }

  it("serves the same to a proxy that removes the path", async () => {
    for (const path of [
      "/",
      "/blog",
      "/blog/a",
      "/sitemap.xml",
      "/themes/default/static/style.css",
    ]) {
      const [own, removed] = [await site.fetch(`/docs${path}`), await site.fetch(path)];
      assert.equal(own.status, 200, path);
      assert.equal(removed.status, 200, path);
      if (!path.includes(".")) assert.equal(await own.text(), await text(path));
    }
    assert.equal((await site.fetch("/health/ready")).status, 200);
  });

  it("serves a page with the name of the path", async () => {
    const name = /A page with the name of the path/;
    assert.match(await text("/docs/docs"), name);
    const headers = { "X-Forwarded-Prefix": "/docs" };
    assert.match(await (await site.fetch("/docs", { headers })).text(), name);
  });

  it("limits cookies to the path", async () => {
    const cookies: string[] = [];
    for (const path of ["/auth/login", "/auth/account"]) {
      cookies.push(...(await site.fetch(`/docs${path}`)).headers.getSetCookie());
    }
    const token = await text("/docs/api/forms/contact");
    assert.doesNotMatch(token, /"\/docs\/docs/);
    for (const cookie of cookies) assert.match(cookie, /; Path=\/docs(?:;|\/|$)/i, cookie);
  });

  it("is described below the path", async () => {
    const { servers } = JSON.parse(await text("/docs/_site/openapi.json"));
    assert.deepEqual(servers, [{ url: "/docs" }]);
  });

  it("shows the error page with links below the path, each time", async () => {
    for (const path of ["/docs/missing", "/docs/missing", "/missing"]) {
      const answer = await site.fetch(path, { headers: { Accept: "text/html" } });
      assert.equal(answer.status, 404);
      const addresses = addressesIn(await answer.text());
      assert.ok(addresses.length > 0);
      for (const address of addresses) assert.match(address, /^\/docs(?!\/docs\/(?!$))/, address);
    }
  });
});
