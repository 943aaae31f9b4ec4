import assert from "node:assert/strict";
import { renderToString } from "preact-render-to-string";
import { Html } from "#theme";

describe("Html", () => {
  it("puts trusted markup into the element it is given", () => {
    assert.equal(
      renderToString(<Html as="p" class="x" html="<b>y</b>" />),
      `<p class="x"><b>y</b></p>`,
    );
  });
});
