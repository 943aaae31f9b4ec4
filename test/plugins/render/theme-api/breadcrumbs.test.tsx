import assert from "node:assert/strict";
import { renderToString } from "preact-render-to-string";
import { Breadcrumbs } from "#theme";

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
