import assert from "node:assert/strict";
import fc from "fast-check";
import { parseFragment } from "parse5";
import { escapeHtml } from "#kernel";

describe("escapeHtml", () => {
  it("A23: escapes what could end a text or an attribute, and what was escaped before", () => {
    const text = `<a href='x' title="y">&amp;`;
    const escaped = "&lt;a href=&#39;x&#39; title=&quot;y&quot;&gt;&amp;amp;";
    assert.equal(escapeHtml(text), escaped);
    assert.equal(escapeHtml("Grüße 🎉 `$&"), "Grüße 🎉 `$&amp;");
  });

  it("is read by a browser as the text it was, in an element and in attributes", () => {
    fc.assert(
      // A parser drops or replaces these wherever they stand.
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
