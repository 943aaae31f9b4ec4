import assert from "node:assert/strict";
import fc from "fast-check";
import { tokenize } from "../../../../plugins/search/query/terms.js";
import { cutExcerpt, escapeHtml } from "../../../../plugins/search/query/excerpt.js";

const cut = (text: string, terms: string[], length = 40, highlight = true) =>
  cutExcerpt(text, { terms, length, highlight });
const filler = "lorem ipsum dolor sit amet ".repeat(20);

describe("cutExcerpt", () => {
  it("returns a short text as a whole, with matches marked", () => {
    assert.deepEqual(cut("An Apple a day", ["app"]), {
      html: "An <mark>Apple</mark> a day",
      highlights: ["Apple"],
    });
  });
  it("adds no marks when highlighting is off", () => {
    assert.equal(cut("An Apple a day", ["app"], 40, false).html, "An Apple a day");
  });
  it("returns the beginning when nothing matches", () => {
    assert.equal(cut(filler, ["zebra"], 12).html, "lorem ipsum…");
  });
  it("cuts around the densest window, at word boundaries, with an ellipsis at each cut", () => {
    const { html } = cut(`${filler}red ${filler}red fox jumps ${filler}`, ["red", "fox"]);
    assert.match(html, /^….*<mark>red<\/mark> <mark>fox<\/mark> jumps.*…$/u);
    assert.doesNotMatch(html, /^…(orem|rem|em|psum)/u);
  });
  it("prefers a window with different terms to one with many of the same", () => {
    const { html } = cut(`red red red red ${filler} red fox`, ["red", "fox"], 30);
    assert.match(html, /<mark>red<\/mark> <mark>fox<\/mark>$/u);
  });
  it("escapes text and matched words, and adds nothing but <mark>", () => {
    const hostile = `x <img src=x onerror=1> "img" & <script>alert(1)</script> a<b>img`;
    const { html, highlights } = cut(hostile, ["img", "a<b>img"], 200);
    assert.equal(html.replaceAll(/<\/?mark>/gu, "").includes("<"), false);
    for (const word of highlights) assert.equal(/[<>"]/u.test(word), false);
  });
  it("finds words that are special in regular expressions", () => {
    assert.equal(cut("see a+)+$b here", ["a+)+$b"]).html, "see <mark>a+)+$b</mark> here");
  });
  it("folds like the index and shows the original words", () => {
    assert.deepEqual(cut("Une Crème, MÜSLI", ["creme", "musli"]).highlights, ["Crème", "MÜSLI"]);
    assert.deepEqual(cut("привет Мир İstanbul", ["мир", "istanbul"]).highlights, [
      "Мир",
      "İstanbul",
    ]);
  });
  it("finds exactly the words that the index finds, for any text", () => {
    const piece = fc.constantFrom(
      "ab",
      "abc",
      "Äb",
      "(AB",
      "x-ab",
      "…ab",
      "ab…",
      "İab",
      "a",
      " ",
      "\n",
      "\u00a0",
      "bab",
      "😀",
      "ab",
    );
    fc.assert(
      fc.property(
        fc.array(piece).map((parts) => parts.join("")),
        (text) => {
          const found = tokenize(text).filter((term) => term.startsWith("ab"));
          const marked = [...cut(text, ["ab"], 10_000).html.matchAll(/<mark>(.*?)<\/mark>/gsu)].map(
            ([, word]) => tokenize(word ?? "")[0],
          );
          assert.deepEqual(marked, found);
        },
      ),
      { numRuns: 1000 },
    );
  });
  it("never cuts a surrogate pair and stays within its length, for any text", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 300 }),
        fc.integer({ min: 1, max: 60 }),
        (text, length) => {
          const { html } = cut(text, ["a", "zz"], length);
          if (!/\p{Cs}/u.test(text)) assert.doesNotMatch(html, /\p{Cs}/u);
          const shown = html
            .replaceAll(/<\/?mark>/gu, "")
            .replace(/^…/u, "")
            .replace(/…$/u, "")
            .replaceAll(/&\w+;|&#39;/gu, "x");
          assert.ok(
            shown.length <= Math.max(length, text.length <= length ? text.length : length),
            html,
          );
        },
      ),
    );
  });
});

describe("escapeHtml", () => {
  it("escapes the five special characters", () =>
    assert.equal(escapeHtml(`<a b="c">'&`), "&lt;a b=&quot;c&quot;&gt;&#39;&amp;"));
});
