import assert from "node:assert/strict";
import sharp from "sharp";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";
import { picture } from "../../../support/content/pictures.js";

describe("preview pictures and icons", () => {
  let site: TestSite;
  before(async () => {
    site = await bootSite({
      files: {
        "site.yaml": "title: Harbour\n",
        "system.yaml": "languages: { supported: [en, ar], default: en }\n",
        "content/01.home/default.md": "---\ntitle: Home\n---\n",
        "content/02.boats/default.md": "---\ntitle: Boats\n---\n",
        "content/03.photo/default.md": "---\ntitle: Photo\nimage: a.png\n---\n",
        "content/03.photo/a.png": await picture(100, 50),
        "content/04.gated/default.md": "---\ntitle: Gated\nroles: [member]\n---\n",
        "content/02.boats/default.ar.md": "---\ntitle: Boats\n---\n",
      },
    });
  });
  after(() => site.close());
  const imageOf = async (path: string): Promise<string> => {
    const html = await (await site.fetch(path)).text();
    const [, url = ""] = /property="og:image" content="[^"/]*\/\/[^/]+([^"]+)"/.exec(html) ?? [];
    return url;
  };
  const bytes = async (path: string): Promise<Buffer> => {
    const answer = await site.fetch(path);
    assert.equal(answer.status, 200, path);
    return Buffer.from(await answer.arrayBuffer());
  };

  it("draw the title of a page as a PNG of 1200 by 630 pixels, at an address that never changes", async () => {
    const url = await imageOf("/boats");
    assert.match(url, /^\/_site\/cards\/boats\.png\?v=[0-9a-f]{12}$/);
    const answer = await site.fetch(url);
    assert.equal(answer.headers.get("content-type"), "image/png");
    assert.match(answer.headers.get("cache-control") ?? "", /immutable/);
    const card = Buffer.from(await answer.arrayBuffer());
    const { width, height, format } = await sharp(card).metadata();
    assert.deepEqual([width, height, format], [1200, 630, "png"]);
    assert.ok(card.length < 60_000, String(card.length));
    const { dominant } = await sharp(await bytes(await imageOf("/"))).stats();
    assert.notEqual(dominant, undefined);
    assert.equal(Buffer.compare(card, await bytes(await imageOf("/"))) === 0, false);
  });

  it("start where the language of the page does", async () => {
    const ink = async (url: string, left: number): Promise<number> => {
      const part = sharp(await bytes(url)).extract({ left, top: 190, width: 200, height: 200 });
      return Math.max(...(await part.raw().toBuffer()));
    };
    const [left, right] = [84, 916];
    assert.ok((await ink("/_site/cards/boats.png", left)) > 200);
    assert.ok((await ink("/_site/cards/boats.png", right)) < 200);
    assert.ok((await ink("/_site/cards/ar/boats.png", left)) < 200);
    assert.ok((await ink("/_site/cards/ar/boats.png", right)) > 200);
  });

  it("leave a page its own image", async () => {
    assert.match(await imageOf("/photo"), /^\/content-media\/.*a\.png$/);
  });

  it("show no title of a page that the visitor may not see", async () => {
    assert.equal((await site.fetch("/_site/cards/gated.png")).status, 404);
    assert.equal((await site.fetch("/_site/cards/none.png")).status, 404);
  });

  it("make the icons of all devices from one image", async () => {
    const ico = await bytes("/favicon.ico");
    assert.deepEqual([...ico.subarray(0, 6)], [0, 0, 1, 0, 1, 0]);
    assert.equal((await sharp(ico.subarray(22)).metadata()).width, 48);
    for (const [name, size] of [
      ["apple-touch-icon.png", 180],
      ["icon-192.png", 192],
      ["icon-512.png", 512],
    ] as const)
      assert.equal((await sharp(await bytes(`/${name}`)).metadata()).width, size, name);
    await site.write("static/favicon.png", await picture(64, 64));
    assert.notDeepEqual(await bytes("/favicon.ico"), ico);
  });
});
