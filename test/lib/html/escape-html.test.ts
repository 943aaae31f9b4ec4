import assert from "node:assert/strict";
import fc from "fast-check";
import { parseFragment } from "parse5";
import { escapeHtml } from "#kernel";

describe("escapeHtml", () => {
  it("escapes everything that could end a text or an attribute, and escapes again", () => {
    const text = `<a href='x' title="y">&amp;`;
    const escaped = "&lt;a href=&#39;x&#39; title=&quot;y&quot;&gt;&amp;amp;";
    assert.equal(escapeHtml(text), escaped);
    assert.equal(escapeHtml("Grüße 🎉 `$&"), "Grüße 🎉 `$&amp;");
  });

  it("is parsed by a browser as the original text, in an element and in attributes", () => {
    fc.assert(
      // A parser drops or replaces these everywhere.
      fc.property(
        fc.string().filter((text) => !/[\0\r]/.test(text)),
        (text) => {
          const safe = escapeHtml(text);
          const [element] = parseFragment(`<b title="${safe}" id='${safe}'>${safe}</b>`).childNodes;
          assert.ok(element && "attrs" in element);
          assert.deepEqual(
            element.attrs.map(({ value }) => value),
            [text, text],
          );
          const [inside] = element.childNodes;
          assert.equal(inside && "value" in inside ? inside.value : "", text);
        },
      ),
    );
  });
});
