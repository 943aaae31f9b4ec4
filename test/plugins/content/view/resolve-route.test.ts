import assert from "node:assert/strict";
import fc from "fast-check";
import type { RouteMatch } from "../../../../plugins/content/contract.js";
import {
  resolveRoute,
  type Access,
  type RouteRules,
} from "../../../../plugins/content/view/resolve-route.js";
import { RedirectTable } from "../../../../plugins/content/view/redirects.js";
import { indexOf } from "../../../support/content/content-tree.js";

const index = indexOf(
  {
    "01.home/default.md": "---\ntitle: Home\n---\n",
    "02.blog/blog.md": "---\ncollection: {items: '@self.children', pagination: {size: 2}}\n---\n",
    "02.blog/blog.de.md": "---\ntitle: Nachrichten\n---\n",
    "02.blog/a b/post.md": "---\nroutes: {aliases: [/old, /older]}\n---\n",
    "about/default.md": "---\ntitle: About\n---\n",
    "about/default.de.md": "---\nslug: ueber\n---\n",
    "moved/default.md": "---\nredirect: /blog\n---\n",
    "loop/default.md": "---\nredirect: /loop\n---\n",
    "away/default.md": "---\nredirect: https://example.org/x\n---\n",
    "bad/default.md": "---\nredirect: 'javascript:alert(1)'\n---\n",
    "us/default.md": "---\nroutes: {aliases: [we/]}\n---\n",
    "ü b/default.md": "",
    "gated/default.md": "---\ntitle: Gated\n---\n",
    "hidden/default.md": "---\ntitle: Hidden\n---\n",
  },
  { languages: ["en", "de"] },
);
const rules: RouteRules = {
  languages: ["en", "de"],
  defaultLanguage: "en",
  includeDefaultInUrl: false,
  redirects: new RedirectTable({
    "/legacy": "https://example.org/",
    "/?p=12": "/blog",
    "/?p=12&lang=de": "/de/blog",
    "/list?name=a%20b": "/about",
    "/legacy?id=7": "/about",
    "/blog/?%70age_id=3": "https://example.org/3",
  }),
  redirectStatus: 302,
  routes: new Map([["/short", "/blog"]]),
};
const accessOf: Readonly<Record<string, Access>> = { "/gated": "login", "/hidden": "hidden" };

function match(
  path: string,
  { search, ...changed }: Partial<RouteRules> & { search?: string } = {},
  notes: string[] = [],
): RouteMatch {
  const context = {
    index,
    rules: { ...rules, ...changed },
    access: ({ route }: { route: string }) => accessOf[route] ?? "open",
    note: (tag: string) => void notes.push(tag),
  };
  return resolveRoute(path, context, search);
}
/** A match as one line. */
function told(found: RouteMatch): string {
  if (found.kind === "page") {
    return `page ${found.entry.sourcePath} ${found.lang} ${found.pageNumber}`;
  }
  if (found.kind === "redirect") return `${found.status} ${found.to}`;
  return found.kind === "gated" ? `gated ${found.entry.route} ${found.need}` : "none";
}

describe("a redirect of everything below an address", () => {
  const redirects = new RedirectTable({
    "/old/*": "/new/:splat",
    "/old/shop/*": "https://shop.example/:splat?from=old",
    "/old/one": "/about",
    "/caf%C3%A9/*": "/blog/:splat#top",
    "/gone/*": "/blog",
    "/a b/%2A": "/about",
    "/a b/": "/blog",
  });
  for (const [path, expected] of [
    ["/old", "302 /new"],
    ["/old/", "302 /new"],
    ["/old/a/b", "302 /new/a/b"],
    ["/old/ü x/100%?", "302 /new/%C3%BC%20x/100%25%3F"],
    ["/old/:splat", "302 /new/:splat"],
    ["/old/one", "302 /about"],
    ["/old/one/more", "302 /new/one/more"],
    ["/old/shop", "302 https://shop.example/?from=old"],
    ["/old/shop/a", "302 https://shop.example/a?from=old"],
    ["/old//evil.example", "none"],
    ["/café/x", "302 /blog/x#top"],
    ["/cafe\u0301/x", "302 /blog/x#top"],
    ["/gone/a/b", "302 /blog"],
    ["/a b/*", "302 /about"],
    ["/a b/x", "none"],
    ["/a b", "302 /blog"],
  ] as const) {
    it(`leads ${path} to ${expected}`, () => {
      assert.equal(told(match(path, { redirects })), expected);
    });
  }

  it("of the root leads every address away", () => {
    const all = new RedirectTable({ "/*": "https://new.example/:splat" });
    assert.equal(told(match("/", { redirects: all })), "302 https://new.example/");
    assert.equal(told(match("/blog", { redirects: all })), "302 https://new.example/blog");
  });

  it("counts the later one of two spellings, and names the other", () => {
    const twice = new RedirectTable({ "/a%20b": "/x", "/a b/": "/blog" });
    assert.equal(told(match("/a b", { redirects: twice })), "302 /blog");
    assert.deepEqual(
      twice.unused.map(({ from }) => from),
      ["/a%20b"],
    );
  });
});

describe("resolveRoute", () => {
  for (const [path, expected] of [
    ["/", "page 01.home/default.md en 1"],
    ["/blog", "page 02.blog/blog.md en 1"],
    ["/blog/", "301 /blog"],
    ["/blog/a b", "page 02.blog/a b/post.md en 1"],
    ["/blog/page:2", "page 02.blog/blog.md en 2"],
    ["/blog/page:1", "301 /blog"],
    ["/blog/page:2/", "301 /blog/page:2"],
    ["/blog/page:0", "none"],
    ["/blog/page:02", "none"],
    ["/blog/page:99999999", "none"],
    ["/about/page:2", "none"],
    ["/page:2", "none"],
    ["/old", "page 02.blog/a b/post.md en 1"],
    ["/older/", "301 /older"],
    ["/short", "page 02.blog/blog.md en 1"],
    ["/legacy", "302 https://example.org/"],
    ["/legacy/", "302 https://example.org/"],
    ["/moved", "302 /blog"],
    ["/loop", "page loop/default.md en 1"],
    ["/away", "302 https://example.org/x"],
    ["/bad", "page bad/default.md en 1"],
    ["/we", "page us/default.md en 1"],
    ["/short/", "301 /short"],
    ["/About", "none"],
    ["/de/us", "page us/default.md de 1"],
    ["/ü b/", "301 /%C3%BC%20b"],
    ["/u\u0308 b", "page ü b/default.md en 1"],
    ["/about//", "none"],
    ["/__proto__", "none"],
    [`/${"a/".repeat(1000)}`, "none"],
    ["/home", "301 /"],
    ["/gated", "gated /gated login"],
    ["/hidden", "none"],
    ["/nowhere", "none"],
    ["/de/blog", "page 02.blog/blog.de.md de 1"],
    ["/de", "page 01.home/default.md de 1"],
    ["/de/", "301 /de"],
    ["/en/blog", "301 /blog"],
    ["/en", "301 /"],
    ["/de/about", "301 /de/ueber"],
    ["/de/ueber", "page about/default.de.md de 1"],
    ["/ueber", "none"],
    ["/de/gated", "gated /gated login"],
    ["blog", "none"],
    ["//blog", "none"],
    ["/blog//a b", "none"],
    ["", "none"],
    [`/${"x".repeat(5000)}`, "none"],
  ] as const) {
    it(`leads ${path.slice(0, 40) || "nothing"} to ${expected}`, () => {
      assert.equal(told(match(path)), expected);
    });
  }

  for (const [path, search, expected] of [
    ["/", "p=12", "302 /blog"],
    ["/", "utm=x&p=12&a=%zz", "302 /blog?utm=x&a=%zz"],
    ["/", "p=12&lang=de", "302 /de/blog"],
    ["/", "lang=de&p=12", "302 /de/blog"],
    ["/", "p=1", "page 01.home/default.md en 1"],
    ["/", "p=12x", "page 01.home/default.md en 1"],
    ["/", "", "page 01.home/default.md en 1"],
    ["/", `${"x&".repeat(40)}p=12`, "page 01.home/default.md en 1"],
    ["/?p=12", "", "none"],
    ["/about", "p=12", "page about/default.md en 1"],
    ["/list", "name=a+b", "302 /about"],
    ["/list/", "name=a%20b", "302 /about"],
    ["/list", "", "none"],
    ["/legacy", "id=7", "302 /about"],
    ["/legacy", "id=8", "302 https://example.org/"],
    ["/blog", "page_id=3", "302 https://example.org/3"],
  ] as const) {
    it(`leads ${path}?${search.slice(0, 40)} to ${expected}`, () => {
      const found = match(path, { search });
      const rest = found.kind === "redirect" && found.search ? `?${found.search}` : "";
      assert.equal(told(found) + rest, expected);
    });
  }

  it("redirects an unprefixed path to the default language if its prefix is in URLs", () => {
    const changed = { includeDefaultInUrl: true };
    assert.equal(told(match("/about", changed)), "301 /en/about");
    assert.equal(told(match("/en/about", changed)), "page about/default.md en 1");
  });

  it("ignores prefixes on a site with one language", () => {
    assert.equal(told(match("/de/blog", { languages: ["en"] })), "none");
  });

  it("records the route and the page of its result", () => {
    const notes: string[] = [];
    match("/blog", {}, notes);
    assert.deepEqual(notes, ["route:/blog", "page:02.blog/blog.md"]);
  });

  it("never redirects to another host by a path of slashes", () => {
    const part = fc.constantFrom(
      "/",
      "\\",
      "evil.com",
      "about",
      "splat",
      "de",
      ".",
      "..",
      ":",
      "@",
    );
    const redirects = new RedirectTable({ "/old": "/about", "/splat/*": "/:splat" });
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const found = match(`/${parts.join("")}`, { redirects });
        if (found.kind === "redirect")
          assert.match(found.to, /^\/(?![/\\])|^https:\/\/example\.org/);
      }),
    );
  });

  it("leads to a page after at most one redirect from any path", () => {
    const segment = fc.constantFrom(
      "",
      "de",
      "en",
      "blog",
      "home",
      "ueber",
      "page:1",
      "page:2",
      "about",
      "old",
    );
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 4 }), (segments) => {
        const first = match(`/${segments.join("/")}`);
        if (first.kind !== "redirect" || !first.to.startsWith("/")) return;
        assert.notEqual(match(decodeURIComponent(first.to)).kind, "redirect", first.to);
      }),
    );
  });
});
