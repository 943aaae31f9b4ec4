import assert from "node:assert/strict";
import { renderToString } from "preact-render-to-string";
import { NavTree } from "#theme";

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
