import assert from "node:assert/strict";
import { fitImages } from "#theme";

const sizes = "(max-width: 47rem) 92vw, 43rem";
const image = '<img src="/a.jpg" loading="lazy" sizes="auto, 48rem">';
const picture = `<picture><source type="image/webp" srcset="/a.jpg?format=webp 9w" sizes="auto, 48rem">${image}</picture>`;

describe("fitImages", () => {
  it("sets the sizes of images and their sources, and leaves those that authors have written", () => {
    const own = '<img src="/b.jpg" sizes="10vw">';
    const fitted = fitImages(picture + own, { sizes });
    assert.equal(fitted.split(` sizes="auto, ${sizes}"`).length, 3);
    assert.ok(fitted.endsWith(own));
  });

  it("escapes the sizes", () => {
    assert.doesNotMatch(fitImages(image, { sizes: '"><script>' }), /<script>/);
  });

  it("loads the first image with priority, without `auto`, which needs lazy loading", () => {
    const [first = "", second = ""] = fitImages(`<p>Text</p>${picture}<hr>${picture}`, {
      sizes,
      eager: true,
    }).split("<hr>");
    assert.match(first, /<img [^>]*loading="eager" fetchpriority="high"/);
    assert.doesNotMatch(first, /auto,/);
    assert.match(second, /loading="lazy" sizes="auto,/);
  });

  it("leaves an image below the first view lazy", () => {
    const html = `<p>${"word ".repeat(300)}</p>${image}`;
    assert.match(fitImages(html, { sizes, eager: true }), /loading="lazy"/);
  });

  it("returns text without images as it is", () => {
    assert.equal(fitImages("<p>&lt;img></p>", { sizes, eager: true }), "<p>&lt;img></p>");
  });
});
