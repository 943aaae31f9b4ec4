import assert from "node:assert/strict";
import { renderToString } from "preact-render-to-string";
import { Picture } from "#theme";

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
