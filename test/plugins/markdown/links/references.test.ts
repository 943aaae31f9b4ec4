import assert from "node:assert/strict";
import type { PageEntry } from "../../../../plugins/content/contract.js";
import { ReferenceResolver } from "../../../../plugins/markdown/links/resolve-reference.js";
import {
  contentTree,
  mediaItem,
  pageEntry,
  pageOf,
} from "../../../support/content/markdown-pages.js";
import { testCaches } from "../../../support/test-caches.js";

const own = pageEntry("01.blog/02.hello/post.md");
const other = pageEntry("01.blog/03.other/post.md");
const german = pageEntry("01.blog/03.other/post.de.md", { lang: "de", url: "/de/blog/other" });
const flat = pageEntry("docs/guide.md", { route: "/docs/guide", url: "/docs/guide" });
const docs = pageEntry("docs/default.md");
const note = pageEntry("notes/one.md", { route: "/notes/one", url: "/notes/one", depth: 1 });
const short = pageEntry("notes/two.mkd", { route: "/notes/two", url: "/notes/two", depth: 1 });
const entries = [own, other, german, flat, docs, note, short];
const media = {
  "01.blog/02.hello": [
    mediaItem("01.blog/02.hello", "a b.png", { alt: "Alt", title: "Cap" }),
    mediaItem("01.blog/02.hello", "ü#.png"),
  ],
  "01.blog/03.other": [mediaItem("01.blog/03.other", "far.png")],
};

function resolver(attributes: Record<string, string> = {}): ReferenceResolver {
  return new ReferenceResolver({
    cache: testCaches(),
    content: contentTree(entries, media),
    languages: ["en", "de"],
    isTrusted: () => false,
    imageAttributes: async () => attributes,
  });
}
const page = (entry: PageEntry = own) => pageOf(entry, "", media["01.blog/02.hello"]);

const resolved: readonly (readonly [reference: string, url: string | null])[] = [
  ["a b.png", "/content-media/01.blog/02.hello/a%20b.png"],
  ["../../notes/two", "/notes/two"],
  ["a%20b.png", "/content-media/01.blog/02.hello/a%20b.png"],
  ["./a%20b.png?w=3#x", "/content-media/01.blog/02.hello/a%20b.png?w=3#x"],
  ["%C3%BC%23.png", "/content-media/01.blog/02.hello/%C3%BC%23.png"],
  ["../02.hello/a b.png", "/content-media/01.blog/02.hello/a%20b.png"],
  ["missing.png", null],
  ["../03.other/post.md", "/blog/other"],
  ["../03.other/post.md#part", "/blog/other#part"],
  ["../03.other/post", "/blog/other"],
  ["../03.other/", "/blog/other"],
  ["/docs/guide.md?x=1", "/docs/guide?x=1"],
  ["/docs/", "/docs"],
  ["/notes/", null],
  ["/notes/one.md", "/notes/one"],
  ["notes/one.md", "/notes/one"],
  ["/content/docs/guide.md#x", "/docs/guide#x"],
  ["/content/01.blog/02.hello/a b.png", "/content-media/01.blog/02.hello/a%20b.png"],
  ["/content/none.md", null],
  ["docs/guide.md", "/docs/guide"],
  ["content/docs/guide.md", null],
  ["/blog/other", null],
  ["#part", null],
  ["?a=b", null],
  ["https://a.example/a b.png", null],
  ["//a.example/x.md", null],
  ["mailto:a@b.example", null],
  ["javascript:alert(1)", null],
  ["../../../../etc/passwd", null],
  ["../02.hello/..%2f..%2f..%2fetc/passwd", null],
  ["%E0%A4%A", null],
  ["a%00b.png", null],
  ["..\\x.md", null],
  ["__proto__", null],
  ["", null],
];

describe("resolving references", () => {
  for (const [reference, url] of resolved) {
    it(`leads ${JSON.stringify(reference)} to ${url ?? "nothing"}`, async () => {
      assert.equal(resolver().resolve(page(), reference), url);
      assert.equal((await resolver().facts(page(), [reference])).get(reference)?.url ?? null, url);
    });
  }

  it("finds media of other folders", async () => {
    const facts = await resolver().facts(page(), ["../03.other/far.png"]);
    assert.equal(facts.get("../03.other/far.png")?.url, "/content-media/01.blog/03.other/far.png");
  });

  it("uses the translation in the language of the page if there is one", () => {
    const from = page(pageEntry("01.blog/02.hello/post.de.md", { lang: "de" }));
    assert.equal(resolver().resolve(from, "../03.other/post.md"), "/de/blog/other");
    assert.equal(resolver().resolve(from, "/docs/guide.md"), "/docs/guide");
  });

  it("adds the language to root-relative URLs of pages in another language", () => {
    const from = page(pageEntry("01.blog/02.hello/post.de.md", { lang: "de" }));
    const resolve = (reference: string): string | null => resolver().resolve(from, reference);
    assert.equal(resolve("/"), "/de");
    assert.equal(resolve("/blog/x?y#z"), "/de/blog/x?y#z");
    for (const path of [
      "/de/blog",
      "/themes/a.css",
      "/content-media/x",
      "/api/pages",
      "/admin/x",
      "/feed.xml",
      "//x",
    ]) {
      assert.equal(resolve(path), null, path);
    }
  });

  it("returns data of the sidecar and the media plugin", async () => {
    const facts = await resolver({ width: "10" }).facts(page(), ["a b.png", "ü%23.png"]);
    assert.deepEqual(facts.get("a b.png"), {
      url: "/content-media/01.blog/02.hello/a%20b.png",
      alt: "Alt",
      title: "Cap",
      attributes: { width: "10" },
    });
    assert.equal(facts.get("ü%23.png")?.alt, undefined);
  });

  it("tags targets, including missing ones", () => {
    const written = [
      "../03.other/post.md#a",
      "a b.png",
      "../04.new/post.md",
      "https://a.example",
      "#x",
    ];
    assert.deepEqual(resolver().reads(page(), written), [
      "page:01.blog/03.other/post.md",
      "page:01.blog/02.hello/a b.png",
      "media:01.blog/02.hello",
      "page:01.blog/04.new/post.md",
      "media:01.blog/04.new",
      // Any new page may be the one that is meant.
      "list",
    ]);
  });
});
