import assert from "node:assert/strict";
import { renderToString } from "preact-render-to-string";
import {
  Breadcrumbs,
  cx,
  formatDate,
  getSearchUrl,
  Html,
  NavTree,
  Pagination,
  Picture,
} from "#theme";

const item = (route: string, children: ReturnType<typeof leaf>[] = []) => ({
  ...leaf(route),
  children,
});
const leaf = (route: string) => ({ route, title: route, order: 0, depth: 0, template: "default" });

describe("Breadcrumbs", () => {
  it("marks the last step as the page shown", () => {
    const html = renderToString(
      <Breadcrumbs
        items={[
          { title: "Home", url: "/" },
          { title: "<b>", url: "/b" },
        ]}
      />,
    );
    assert.match(html, /<a href="\/b" aria-current="page">&lt;b><\/a>/);
  });

  it("is nothing for a page at the top", () => {
    assert.equal(renderToString(<Breadcrumbs items={[{ title: "Home", url: "/" }]} />), "");
  });
});

describe("NavTree", () => {
  const items = [item("/a", [leaf("/a/b")]), item("/c", [leaf("/c/d")])];

  it("nests lists and marks the page shown", () => {
    const html = renderToString(<NavTree items={items} current="/a/b" />);
    assert.match(html, /<a href="\/a\/b" aria-current="page">/);
    assert.match(html, /\/c\/d/);
  });

  it("unfolds the branch of the page alone when asked to", () => {
    const html = renderToString(<NavTree items={items} current="/a/b" branchOnly />);
    assert.match(html, /\/a\/b/);
    assert.doesNotMatch(html, /\/c\/d/);
  });

  it("stops at a depth", () => {
    assert.doesNotMatch(
      renderToString(<NavTree items={items} current="/a" levels={0} />),
      /\/a\/b/,
    );
  });
});

describe("Pagination", () => {
  it("links both neighbours and says where one is", () => {
    const html = renderToString(
      <Pagination collection={{ page: 2, pages: 3, prevUrl: "/b", nextUrl: "/b/page:3" }} />,
    );
    assert.match(html, /rel="prev" href="\/b"/);
    assert.match(html, /rel="next" href="\/b\/page:3"/);
    assert.match(html, /Page 2 of 3/);
  });

  it("is nothing for one page", () => {
    const collection = { page: 1, pages: 1, prevUrl: null, nextUrl: null };
    assert.equal(renderToString(<Pagination collection={collection} />), "");
  });
});

describe("Html", () => {
  it("puts trusted markup into the element it is given", () => {
    assert.equal(
      renderToString(<Html as="p" class="x" html="<b>y</b>" />),
      `<p class="x"><b>y</b></p>`,
    );
  });
});

describe("Picture", () => {
  it("is loaded when it comes into view, unless it is the first thing seen", () => {
    assert.match(renderToString(<Picture src="/a.png" alt="A" />), /loading="lazy"/);
    assert.match(renderToString(<Picture src="/a.png" alt="A" eager />), /loading="eager"/);
  });
});

describe("formatDate", () => {
  it("writes a day in the words of the language, and never another day", () => {
    assert.equal(formatDate("2026-03-01", "en"), "March 1, 2026");
    assert.equal(formatDate("2026-03-01", "de"), "1. März 2026");
  });

  it("answers what it cannot read as it is", () => {
    assert.equal(formatDate("soon"), "soon");
    assert.equal(formatDate(null), "");
    assert.equal(formatDate("2026-03-01", "no such language"), "March 1, 2026");
  });
});

describe("cx", () => {
  it("joins what is there", () => {
    assert.equal(cx("a", false, null, undefined, "", "b"), "a b");
    assert.equal(cx(false), undefined);
  });
});

describe("getSearchUrl", () => {
  it("encodes the query", () => {
    assert.equal(getSearchUrl("a b&c"), "/search?q=a%20b%26c");
  });
});
