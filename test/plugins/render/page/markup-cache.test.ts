import assert from "node:assert/strict";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { DocumentParts, MarkupCache } from "../../../../plugins/render/page/markup-cache.js";
import type { PictureMarkup } from "../../../../plugins/render/theme-api/drawing.js";
import { Picture } from "../../../../plugins/render/theme-api/components.js";
import { testCaches } from "../../../support/test-caches.js";

const scope = {};

describe("once", () => {
  const draw = (text: string, drawn: string[]) => () => {
    drawn.push(text);
    return h("p", { title: '"<' }, text);
  };
  const show = (parts: DocumentParts, ...nodes: Parameters<typeof h>[2][]) =>
    parts.text(renderToString(h("div", null, nodes)));

  it("renders the same markup as without it, and renders once for the same inputs", () => {
    const kept = new MarkupCache(testCaches());
    const drawn: string[] = [];
    const [nav, t] = [["a"], () => "t"];
    const documents = [1, 2].map(() => {
      const parts = new DocumentParts(kept, scope);
      const part = parts.once("x", [nav, t, "en", null, 1], draw("a & b…", drawn));
      const markup = renderToString(h("div", null, [part, "!"]));
      assert.equal(parts.bytes(markup).toString(), parts.text(markup));
      return parts.text(markup);
    });
    const expected = renderToString(h("div", null, [draw("a & b…", [])(), "!"]));
    assert.deepEqual(documents, [expected, expected]);
    assert.deepEqual(drawn, ["a & b…"]);
  });

  it("occupies no more memory than its bytes", () => {
    const parts = new DocumentParts(new MarkupCache(testCaches()), scope);
    const document = parts.document("key", () => "<p>short</p>");
    assert.equal(document.toString(), "<p>short</p>");
    assert.equal(document.buffer.byteLength, document.length);
  });

  for (const [what, by] of Object.entries({
    "another object with the same contents": [["a"], "en"],
    "another text": [[], "de"],
    "one making more": [[], "en", ""],
    "a text that looks like two": ['"\\n"en'],
    "null in place of its name": ["null"],
  })) {
    it(`renders again for ${what}`, () => {
      const parts = new DocumentParts(new MarkupCache(testCaches()), scope);
      const drawn: string[] = [];
      for (const makings of [[[], "en"], [null], ["", "en"]]) {
        parts.once("x", makings, draw("first", []));
      }
      assert.match(show(parts, parts.once("x", by, draw("second", drawn))), /second/);
      assert.deepEqual(drawn, ["second"]);
    });
  }

  it("separates parts by name, and caches no empty part", () => {
    const parts = new DocumentParts(new MarkupCache(testCaches()), scope);
    const both = [parts.once("a", [], () => h("i", null)), parts.once("b", [], () => null)];
    assert.equal(show(parts, ...both), "<div><i></i></div>");
  });

  for (const isNested of [false, true]) {
    it(`renders a ${isNested ? "part in a part" : "part"} again once its images have smaller formats`, () => {
      const kept = new MarkupCache(testCaches());
      const srcset = "/content-media/a.jpg?width=320 320w";
      const webp = { type: "image/webp", srcset: `${srcset}&format=webp` };
      const drawn: string[] = [];
      const looked: string[] = [];
      const show = (found: PictureMarkup | null): string => {
        const parts = new DocumentParts(kept, scope, {
          pictureOf: (src) => {
            looked.push(src);
            return found;
          },
        });
        const picture = () => {
          drawn.push("a");
          return h(Picture, { src: "/content-media/a.jpg", alt: "", attributes: { srcset } });
        };
        const part = () => parts.once("x", [], picture);
        return parts.text(renderToString(isNested ? parts.once("outer", [], part) : part()));
      };
      const none = show(null);
      assert.doesNotMatch(none, /<picture>/);
      assert.equal(show(null), none);
      const found = show({ srcset, isResizable: true, sources: [webp], tone: null });
      assert.match(found, /<picture><source type="image\/webp"/);
      assert.equal(show({ srcset, isResizable: true, sources: [webp], tone: null }), found);
      assert.equal(drawn.length, 2);
      assert.ok(looked.length >= 4, "each document looks at its images");
    });
  }

  it("does not cache a part that fails", () => {
    const parts = new DocumentParts(new MarkupCache(testCaches()), scope);
    const fail = () => {
      throw new Error("broken");
    };
    assert.throws(() => parts.once("x", [1], fail), /broken/);
    assert.equal(
      show(
        parts,
        parts.once("x", [1], () => h("b", null)),
      ),
      "<div><b></b></div>",
    );
  });

  it("caches a part as a whole when it contains another one", () => {
    const kept = new MarkupCache(testCaches());
    const outer = (parts: DocumentParts) =>
      parts.once("outer", [], () =>
        h(
          "p",
          null,
          parts.once("inner", [], () => "text"),
        ),
      );
    const [first, second] = [new DocumentParts(kept, scope), new DocumentParts(kept, scope)];
    assert.equal(show(first, outer(first)), "<div><p>text</p></div>");
    assert.equal(show(second, outer(second)), "<div><p>text</p></div>");
  });
});

describe("DocumentParts", () => {
  it("marks long markup and restores exactly the marked text, in its place", () => {
    const parts = new DocumentParts(new MarkupCache(testCaches()), scope);
    const [long, other] = [`<p>${"ä".repeat(600)}</p>`, `<p>${"x".repeat(600)}</p>`];
    assert.equal(parts.mark("<p>short</p>"), "<p>short</p>");
    const markup = `<a>${parts.mark(long)}|${parts.mark(other)}|${parts.mark(long)}</a>`;
    assert.ok(markup.length < 500);
    assert.equal(parts.text(markup), `<a>${long}|${other}|${long}</a>`);
    assert.equal(parts.bytes(markup).toString(), parts.text(markup));
  });

  it("returns one buffer while its key is the same", () => {
    const kept = new MarkupCache(testCaches());
    const [mark, made]: [string, string[]] = [
      new DocumentParts(kept, scope).mark("x".repeat(600)),
      [],
    ];
    const document = (key: string) => {
      const parts = new DocumentParts(kept, scope);
      const marked = parts.mark("x".repeat(600));
      return parts.document(key, () => {
        made.push(key);
        return `${key}${marked}`;
      });
    };
    const first = document("a");
    assert.equal(first.toString(), `a${"x".repeat(600)}`);
    assert.ok(!first.includes(mark));
    assert.equal(document("a"), first);
    assert.equal(document("b").toString(), `b${"x".repeat(600)}`);
    assert.deepEqual(made, ["a", "b"]);
  });

  it("does not replace a mark of another document, or an unknown one", () => {
    const kept = new MarkupCache(testCaches());
    const foreign = new DocumentParts(kept, scope).mark("x".repeat(600));
    const parts = new DocumentParts(kept, scope);
    for (const markup of [foreign, `${kept.opening}1-->`, kept.opening, "<!--1-->", ""]) {
      assert.equal(parts.text(markup), markup);
    }
  });
});
