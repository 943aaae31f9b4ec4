import assert from "node:assert/strict";
import { renderToString } from "preact-render-to-string";
import { Pagination } from "#theme";

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
