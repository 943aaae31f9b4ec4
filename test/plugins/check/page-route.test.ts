import assert from "node:assert/strict";
import { SiteError } from "#kernel";
import { folderFor, movesFor, nextNumber, parseRoute } from "../../../plugins/check/page-route.js";
import { indexOf } from "../../support/content/content-tree.js";

const generation = indexOf(
  {
    "01.home/default.md": "# Home",
    "02.blog/blog.md": "# Blog",
    "02.blog/01.one/post.md": "# One",
    "02.blog/09.nine/post.md": "# Nine",
    "articles/03.first.md": "# First",
    "articles/03.first.de.md": "# Erster",
    "articles/slug.md": "---\nslug: other\n---\n",
  },
  { languages: ["en", "de"] },
);
const fails = (status: number) => (error: unknown) =>
  error instanceof SiteError && error.code === "ERR_CHECK_ROUTE" && error.status === status;
const moves = (route: string, newRoute: string) =>
  movesFor(generation, route, newRoute, "en").map(({ path, to }) => `${path} ${to}`);

describe("a route in the user's spelling", () => {
  for (const [text, route] of [
    ["blog/one", "/blog/one"],
    ["//blog/", "/blog"],
    ["/u\u0308", "/ü"],
    ["/a b", "/a b"],
  ] as const) {
    it(`is ${route} for ${JSON.stringify(text)}`, () => assert.equal(parseRoute(text), route));
  }

  for (const text of [
    "",
    "/",
    "///",
    "/a//b",
    "/../etc",
    "/a/../b",
    "/.git",
    "/_x",
    "/a\\b",
    "/a\0",
    "/a\nb",
    "/a:b",
    "/a?b",
    "/<b>",
    `/${"a".repeat(500)}`,
  ]) {
    it(`is invalid: ${JSON.stringify(text.slice(0, 20))}`, () => {
      assert.throws(() => parseRoute(text), fails(400));
    });
  }
});

describe("the location of a page", () => {
  it("is below the page of the route above, else in a folder of its name", () => {
    assert.equal(folderFor(generation, "/", "en"), "");
    assert.equal(folderFor(generation, "/blog/one", "en"), "02.blog/01.one");
    assert.equal(folderFor(generation, "/articles/first", "en"), "articles/03.first");
    assert.equal(folderFor(generation, "/blog/new/deep", "en"), "02.blog/new/deep");
  });

  it("gets the number after the highest of its neighbours, if they have numbers", () => {
    assert.equal(nextNumber(generation, ""), "03.");
    assert.equal(nextNumber(generation, "02.blog"), "10.");
    assert.equal(nextNumber(generation, "articles"), "04.");
    assert.equal(nextNumber(generation, "02.blog/01.one"), "");
  });
});

describe("the moves for another route", () => {
  it("move a folder page with its folder, which keeps its number", () => {
    assert.deepEqual(moves("/blog/one", "/blog/eins"), ["02.blog/01.one 02.blog/01.eins"]);
    assert.deepEqual(moves("/blog/one", "/deep/down"), ["02.blog/01.one deep/01.down"]);
  });

  it("change the slug of a page that has one", () => {
    assert.deepEqual(movesFor(generation, "/articles/other", "/blog/x", "en"), [
      {
        path: "articles/slug.md",
        to: "02.blog/slug.md",
        slug: { path: "articles/slug.md", value: "x" },
      },
    ]);
  });

  it("move a file with its translations", () => {
    assert.deepEqual(moves("/articles/first", "/blog/x").toSorted(), [
      "articles/03.first.de.md 02.blog/03.x.de.md",
      "articles/03.first.md 02.blog/03.x.md",
    ]);
  });

  for (const [from, to, status] of [
    ["/none", "/x", 404],
    ["/", "/x", 400],
    ["/blog/one", "/", 400],
    ["/blog/one", "/blog/nine", 409],
    ["/blog/one", "/blog/one", 409],
    ["/blog", "/blog/below", 400],
  ] as const) {
    it(`are rejected with ${status} from ${from} to ${to}`, () => {
      assert.throws(() => moves(from, to), fails(status));
    });
  }
});
