import assert from "node:assert/strict";
import { withPictures } from "../../../../../plugins/render/page/views/pictures.js";

const parts = {
  srcset: "/a&b.jpg?width=320 320w",
  isResizable: true,
  sources: [{ type: "image/webp", srcset: "/a&b.jpg?width=320&format=webp 320w" }],
  tone: "1-2+3*",
};
const known = (src: string) => (src === "/a&b.jpg" ? parts : null);
const image = (more: string): string => `<img src="/a&amp;b.jpg"${more} alt="A > B">`;
const OURS = ' srcset="/a&#x26;b.jpg?width=320 320w" sizes="43rem"';

describe("withPictures", () => {
  it("puts the sources before the image, with its sizes", () => {
    assert.equal(
      withPictures(`<p>${image(OURS)}</p>`, known),
      `<p><picture><source type="image/webp" srcset="/a&amp;b.jpg?width=320&amp;format=webp 320w" sizes="43rem">` +
        `<img data-tone="1-2+3*" src="/a&amp;b.jpg"${OURS} alt="A > B"></picture></p>`,
    );
  });

  it("adds only the colour when no format is smaller", () => {
    const colored = withPictures(image(OURS), () => ({ ...parts, sources: [] }));
    assert.match(colored, /^<img data-tone="1-2\+3\*" src=/);
  });

  it("takes the variants from an image that cannot be resized", () => {
    const plain = { ...parts, isResizable: false, sources: [], tone: null };
    assert.equal(
      withPictures(image(OURS), () => plain),
      image(""),
    );
    const own = image(' srcset="/mine.jpg 1x" sizes="10px"');
    assert.equal(
      withPictures(own, () => plain),
      own,
    );
  });

  const untouched: [title: string, html: string][] = [
    ["unknown images", `<img src="/other.jpg"${OURS}>`],
    ["images with a `srcset` of their own", image(' srcset="/mine.jpg 1x"')],
    ["images without a `srcset`", image("")],
    ["a `<picture>` of the author", `<picture><source srcset="/x.webp">${image(OURS)}</picture>`],
    ["texts of scripts", `<script>const tag = '${image(OURS)}';</script>`],
    ["escaped markup", "<code>&lt;img src=&quot;/a&amp;b.jpg&quot;></code>"],
    ["an unfinished tag", `<p><img src="/a&amp;b.jpg"${OURS}`],
  ];
  for (const [title, html] of untouched) {
    it(`leaves ${title} as they are`, () => assert.equal(withPictures(html, known), html));
  }
});
