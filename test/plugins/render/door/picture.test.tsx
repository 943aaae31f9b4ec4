import assert from "node:assert/strict";
import { renderToString } from "preact-render-to-string";
import { Picture } from "#theme";

describe("Picture", () => {
  it("is loaded when it comes into view, unless it is the first thing seen", () => {
    assert.match(renderToString(<Picture src="/a.png" alt="A" />), /loading="lazy"/);
    assert.match(renderToString(<Picture src="/a.png" alt="A" eager />), /loading="eager"/);
  });
});
