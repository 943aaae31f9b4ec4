import assert from "node:assert/strict";
import { renderToString } from "preact-render-to-string";
import { Html } from "#theme";

describe("Html", () => {
  it("renders trusted markup in the given element", () => {
    assert.equal(
      renderToString(<Html as="p" class="x" html="<b>y</b>" />),
      `<p class="x"><b>y</b></p>`,
    );
  });
});
