import assert from "node:assert/strict";
import { renderToString } from "preact-render-to-string";
import { Breadcrumbs, Html, NavTree, Pagination, Picture } from "#theme";

describe("Breadcrumbs", () => {
  it("marks the last step as the current page", () => {
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

  it("renders nothing for a top-level page", () => {
    assert.equal(renderToString(<Breadcrumbs items={[{ title: "Home", url: "/" }]} />), "");
  });
});

describe("Html", () => {
  it("renders trusted markup in the given element", () => {
    assert.equal(
      renderToString(<Html as="p" class="x" html="<b>y</b>" />),
      `<p class="x"><b>y</b></p>`,
    );
  });
});

describe("Pagination", () => {
  it("links both neighbours and shows the position", () => {
    const html = renderToString(
      <Pagination collection={{ page: 2, pages: 3, prevUrl: "/b", nextUrl: "/b/page:3" }} />,
    );
    assert.match(html, /rel="prev" href="\/b"/);
    assert.match(html, /rel="next" href="\/b\/page:3"/);
    assert.match(html, /Page 2 of 3/);
  });

  it("renders nothing for one page", () => {
    const collection = { page: 1, pages: 1, prevUrl: null, nextUrl: null };
    assert.equal(renderToString(<Pagination collection={collection} />), "");
  });

  it("renders nothing for a list whose further pages have no address", () => {
    const collection = { page: 1, pages: 2, prevUrl: null, nextUrl: null };
    assert.equal(renderToString(<Pagination collection={collection} />), "");
  });
});

describe("Picture", () => {
  it("is loaded lazily, unless it is above the fold", () => {
    assert.match(renderToString(<Picture src="/a.png" alt="A" />), /loading="lazy"/);
    assert.match(renderToString(<Picture src="/a.png" alt="A" eager />), /loading="eager"/);
  });

  it("has sizes when there are variants to choose from", () => {
    const attributes = { srcset: "/a.png?width=320 320w", sizes: "100vw", width: "640" };
    const draw = (given: Readonly<Record<string, string>>): string =>
      renderToString(<Picture src="/a.png" alt="" attributes={given} sizes="10rem" />);
    assert.match(draw(attributes), /sizes="10rem"/);
    assert.match(draw(attributes), /width="640"/);
    assert.doesNotMatch(draw({}), /sizes=/);
    const plain = renderToString(<Picture src="/a.png" alt="" attributes={attributes} />);
    assert.match(plain, /sizes="100vw"/);
  });
});

const item = (route: string, children: ReturnType<typeof leaf>[] = []) => ({
  ...leaf(route),
  children,
});
const leaf = (route: string) => ({
  route,
  url: route,
  title: route,
  order: 0,
  depth: 0,
  template: "default",
});

describe("NavTree", () => {
  const items = [item("/a", [leaf("/a/b")]), item("/c", [leaf("/c/d")])];

  it("nests lists and marks the current page", () => {
    const html = renderToString(<NavTree items={items} current="/a/b" />);
    assert.match(html, /<a href="\/a\/b" aria-current="page">/);
    assert.match(html, /\/c\/d/);
  });

  it("expands only the branch of the current page on request", () => {
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
