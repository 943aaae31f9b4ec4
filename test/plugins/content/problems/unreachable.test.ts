import assert from "node:assert/strict";
import request from "supertest";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";

const files = {
  "site.yaml": [
    "title: T",
    "redirects: { /hidden: /about, /twice: /hidden, /lost: /nowhere, /health/live: /about, '/?p=1': /about, '/?p=2': /nowhere, '/?p=3': '/?p=1', '/health/live?x=1': /about }",
    "routes: { /a: /about, /b: /a, /c: /nowhere, /about: /, /api/nav: /about }",
  ].join("\n"),
  "system.yaml": "languages: { supported: [en, de] }\n",
  "content/01.home/default.md": "# Home",
  "content/02.about/default.md":
    "---\nroutes: { aliases: [/us, /other, /hidden, /search, /api/pages/x, /taken] }\n---\n# About",
  "content/other.md": "---\nroutes: { aliases: [/taken] }\n---\n# Other",
  "content/hidden.md": "# Hidden",
  "content/api.md": "# Api",
  "content/api/options.md": "# Options",
  "content/api/pages.md": "# Pages",
  "content/api/pages/x.md": "# X",
  "content/health.md": "# Health",
  "content/health/x.md": "# Health x",
  "content/search.md": "# Search",
  "content/admin.md": "# Admin",
  "content/admin/below.md": "# Below",
  "content/static/generator.md": "# Generator",
  "content/static/file.txt.md": "# File",
  "content/de/x.md": "# German or not",
  "content/static/licence.md": "# Licence",
  "static/licence": "a file without an extension",
  "static/a.txt": "a",
  "content/flex/product.md": "# Page product",
  "content/flex/product/one.md": "# Page one",
  "content/flex/product/two.md": "# Page two",
  "content/flex/other.md": "# Page other",
  "flex-objects/product.yaml": "title: Product\nfields:\n  name: { type: text }\n",
  "flex-objects/product/one.yaml": "name: One\n",
};

describe("pages that are never shown", () => {
  let site: TestSite;
  before(async () => {
    site = await bootSite({ files });
  });
  after(() => site.close());

  const problems = (code: string): string[] =>
    site.site
      .use("content")
      .generation()
      .problems.filter((problem) => problem.code === code)
      .map(({ sourcePath, severity, message }) => `${sourcePath} ${severity} ${message}`);

  it("are reported with what takes precedence at their address", () => {
    const route = (path: string, url: string, by = url): string =>
      `${path} error the page is never shown: at "${url}" the route "${by}" answers; choose another slug`;
    assert.deepEqual(problems("ERR_CONTENT_UNREACHABLE"), [
      route("admin.md", "/admin"),
      route("admin/below.md", "/admin/below", "/admin/*path"),
      route("api/pages.md", "/api/pages"),
      route("api/pages/x.md", "/api/pages/x", "/api/pages/*route"),
      'de/x.md error the page is never shown: at "/de/x" pages in the language "de" stand; choose another slug',
      route("flex/product.md", "/flex/product", "/flex/:type"),
      route("flex/product/one.md", "/flex/product/one", "/flex/:type/:id"),
      route("health.md", "/health"),
      'hidden.md error the page is never shown: at "/hidden" a redirect leads to "/about"; choose another slug',
      route("search.md", "/search"),
      route("static/licence.md", "/static/licence", "/static/*path"),
    ]);
  });

  it("are exactly those that none of their addresses shows", async () => {
    const { entries } = site.site.use("content").generation();
    const reported = problems("ERR_CONTENT_UNREACHABLE").map((line) => line.split(" ", 1)[0]);
    for (const { url, title, sourcePath } of entries) {
      const { status, text } = await request(site.url).get(url).set("Accept", "text/html");
      const isPage = /<article/.test(text);
      const isShown = status === 200 && isPage && text.includes(`>${title}<`);
      assert.equal(isShown, !reported.includes(sourcePath), `${sourcePath} at ${url}: ${status}`);
    }
  });

  it("do not include files of static/ and unknown addresses of the API", async () => {
    const file = await request(site.url).get("/static/a.txt").expect(200);
    assert.equal(file.text, "a");
    await request(site.url).get("/static/none.txt").expect(404);
    await request(site.url).get("/static/..%2fsite.yaml").expect(404);
    const unknown = await request(site.url).get("/api/none").expect(404);
    assert.deepEqual(unknown.body, { error: "Not found" });
    await request(site.url).post("/api/none").expect(404);
    await request(site.url).post("/api/options").expect(404);
  });

  it("include aliases and redirects that lead nowhere, are chained, or are never used", () => {
    assert.deepEqual(problems("ERR_CONTENT_ALIAS"), [
      '02.about/default.md warning the alias "/other" does not lead to the page: it belongs to "other.md"; remove it',
      '02.about/default.md warning the alias "/hidden" does not lead to the page: a redirect leads to "/about"; remove it',
      '02.about/default.md warning the alias "/search" does not lead to the page: the route "/search" answers; remove it',
      '02.about/default.md warning the alias "/api/pages/x" does not lead to the page: the route "/api/pages/*route" answers; remove it',
      'other.md warning the alias "/taken" does not lead to the page: it belongs to "02.about/default.md"; remove it',
      'site.yaml warning routes["/b"]: "/a" is an alias itself, and aliases are not followed twice; use "/about"',
      'site.yaml warning routes["/c"]: there is no page at "/nowhere"; correct it or remove it',
      'site.yaml warning routes["/about"]: the alias is never used: the address belongs to "02.about/default.md"; remove it',
      'site.yaml warning routes["/api/nav"]: the alias is never used: the route "/api/nav" answers; remove it',
      'site.yaml warning redirects["/twice"]: "/hidden" redirects again; use "/about"',
      'site.yaml warning redirects["/lost"]: there is no page at "/nowhere"; correct it or remove it',
      'site.yaml warning redirects["/health/live"]: the redirect is never used: the route "/health/live" answers; remove it',
      'site.yaml warning redirects["/?p=2"]: there is no page at "/nowhere"; correct it or remove it',
      'site.yaml warning redirects["/?p=3"]: "/" redirects again; use "/about"',
      'site.yaml warning redirects["/health/live?x=1"]: the redirect is never used: the route "/health/live" answers; remove it',
    ]);
  });

  it("include redirects of front matter that lead nowhere", async () => {
    const content = site.site.use("content");
    const write = (name: string, to: string) =>
      ({ op: "write", path: name, content: `---\nredirect: ${to}\n---\n# R` }) as const;
    const pages = [write("lost.md", "/nowhere?a=1#b"), write("found.md", "/about#x")];
    await content.apply([...pages, write("far.md", "https://example.org/nowhere")]);
    assert.deepEqual(
      problems("ERR_CONTENT_ALIAS").filter((line) => /^(?:lost|found|far)/.test(line)),
      ['lost.md warning redirect: there is no page at "/nowhere"; correct it or remove it'],
    );
    for (const path of ["lost.md", "found.md", "far.md"])
      await content.apply([{ op: "delete", path }]);
  });

  it("are updated when the content changes", async () => {
    const content = site.site.use("content");
    await content.apply([{ op: "write", path: "feeds.md", content: "---\nslug: nav\n---\n# N" }]);
    assert.equal(problems("ERR_CONTENT_UNREACHABLE").length, 11);
    await content.apply([{ op: "write", path: "api/nav.md", content: "# Nav" }]);
    assert.match(problems("ERR_CONTENT_UNREACHABLE").join("\n"), /^api\/nav\.md error/m);
    await content.apply([{ op: "delete", path: "api/nav.md" }]);
    assert.equal(problems("ERR_CONTENT_UNREACHABLE").length, 11);
  });
});
