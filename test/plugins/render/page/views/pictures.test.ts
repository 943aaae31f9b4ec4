import assert from "node:assert/strict";
import type { MediaItem, PageEntry } from "../../../../../plugins/content/contract.js";
import { Pictures } from "../../../../../plugins/render/page/views/pictures.js";

const fileOf = (name: string, type: string): MediaItem => ({
  name,
  type,
  url: `/content-media/blog/${encodeURIComponent(name)}`,
  size: 1,
  meta: {},
  mtimeMs: 0,
});
const files = [fileOf("a b.png", "image/png"), fileOf("c.pdf", "application/pdf")];
const entry = { folder: "blog" } as unknown as PageEntry;
const content = { media: async () => files };
const attributes = { width: "10", height: "5" };
const media = { imageAttributes: async () => attributes };
const open = (service: unknown): Pictures =>
  new Pictures(
    { use: () => service } as unknown as ConstructorParameters<typeof Pictures>[0],
    content,
  );

describe("Pictures", () => {
  it("returns attributes for images, and none for other files", async () => {
    const views = await open(media).ofPage(files, entry);
    assert.deepEqual(
      views.map((view) => view.attributes),
      [attributes, {}],
    );
    assert.equal(views[1]?.name, "c.pdf");
  });

  it("processes a listing once, and a new listing of the same folder again", async () => {
    const asked: string[] = [];
    const pictures = open({
      imageAttributes: async ({ name }: MediaItem) => {
        asked.push(name);
        return attributes;
      },
    });
    const views = await pictures.ofPage(files, entry);
    assert.equal(await pictures.ofPage(files, entry), views);
    assert.deepEqual(asked, ["a b.png"]);
    await pictures.ofPage([...files], entry);
    assert.deepEqual(asked, ["a b.png", "a b.png"]);
  });

  const table: [url: string | null, isKnown: boolean][] = [
    ["/content-media/blog/a%20b.png", true],
    ["/content-media/blog/c.pdf", false],
    ["/content-media/other/a%20b.png", false],
    ["https://cdn.test/a%20b.png", false],
    [null, false],
  ];
  for (const [url, isKnown] of table) {
    it(`returns ${isKnown ? "the attributes" : "nothing"} for ${JSON.stringify(url)}`, async () => {
      assert.deepEqual(await open(media).at(url, entry), isKnown ? attributes : {});
    });
  }

  it("returns nothing without the plugin media", async () => {
    assert.deepEqual(await open(undefined).at("/content-media/blog/a%20b.png", entry), {});
  });
});
